import type { Region } from './rates.ts';

/** Who serves a maker's models besides the maker. */
export type HostName = 'bedrock' | 'vertex' | 'azure' | 'openrouter';

/** What the id of a model says of who served it. */
export interface Host {
  readonly name: HostName;
  /** `regional` where the id names a place that the request stays in. */
  readonly region: Region;
}

/** Segments in front of a model id that name the host, as gateways and agents write them. */
const hostSegments: ReadonlyMap<string, HostName> = new Map([
  ['bedrock', 'bedrock'],
  ['bedrock_converse', 'bedrock'],
  ['amazon-bedrock', 'bedrock'],
  ['converse', 'bedrock'],
  ['vertex', 'vertex'],
  ['vertex_ai', 'vertex'],
  ['google-vertex', 'vertex'],
  ['google-vertex-anthropic', 'vertex'],
  ['publishers', 'vertex'],
  ['azure', 'azure'],
  ['azure_ai', 'azure'],
  ['openrouter', 'openrouter'],
]);

/** Bedrock's own ids: a maker, behind the group of regions that an inference profile routes within, if there is one. */
const bedrockId = /^(?:([a-z]{2,6}(?:-[a-z]+)?)\.)?(?:anthropic|openai)\.[a-z]/;

/** A region of Amazon's cloud (`us-east-1`) or of Google's (`us-east5`), as some gateways write it in front of the id. */
const place = /^(?:[a-z]{2}(?:-gov)?-[a-z]+-\d|[a-z]+-[a-z]+\d)$/;

/** An Anthropic model with its date behind an `@`, as only Google Cloud writes it. */
const vertexId = /^claude-[a-z0-9.-]+@(?:20\d{6}|default|latest)$/;

/** `arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.…` names its model behind the first slash. */
const bedrockArn = /^arn:aws[a-z-]*:bedrock:([a-z0-9-]*):[^/]*\//;

/** `projects/my-project/locations/us-east5/publishers/anthropic/models/…`, as Google Cloud names a model whole. */
const vertexResource = /^projects\/[^/]+\/locations\/([^/]+)\/publishers\//;

/**
 * Who served a model, by its recorded id; undefined for the maker's own API, and where the id does not say. Sources: Amazon
 * Bedrock, inference profiles (`global.` routes anywhere; another group, or none, stays within); Claude on Google Cloud, endpoints.
 */
export function hostOf(id: string): Host | undefined {
  const segments = pathOf(id);
  const last = segments.at(-1) ?? '';
  const bedrock = bedrockId.exec(last);
  if (bedrock) return { name: 'bedrock', region: bedrock[1] === 'global' ? 'global' : 'regional' };
  const name = segments.map(hostOfSegment).find((known) => known !== undefined);
  if (name !== undefined) return { name, region: segments.some(isPlace) ? 'regional' : 'global' };
  return vertexId.test(last) ? { name: 'vertex', region: 'global' } : undefined;
}

/** The segments of an id, with the addresses of clouds in their short form: host, place if it names one, model. */
export function pathOf(id: string): readonly string[] {
  return id.trim().toLowerCase().replace(bedrockArn, 'bedrock/').replace(vertexResource, 'vertex/$1/').split('/');
}

/** The host that a segment names. */
export function hostOfSegment(segment: string): HostName | undefined {
  return hostSegments.get(segment);
}

/** True for a region of a cloud. */
export function isPlace(segment: string): boolean {
  return place.test(segment);
}
