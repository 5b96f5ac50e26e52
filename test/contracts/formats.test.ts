import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openFile } from '../../src/bytes/index.ts';
import type { Format } from '../../src/formats/format.ts';
import { formats } from '../../src/formats/index.ts';
import { type Finding, Findings } from '../../src/session/findings.ts';
import type { Session } from '../../src/session/session.ts';
import { tempFolder } from '../temp.ts';
import { type FormatSample, formatSamples } from './format-samples.ts';

const folder = tempFolder();
let files = 0;

interface Read {
  readonly sessions: readonly Session[];
  readonly findings: readonly Finding[];
}

async function read(format: Format, lines: readonly object[]): Promise<Read> {
  const file = join(folder, `${++files}.jsonl`);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const findings = new Findings();
  const context = { findings, seenRequests: new Set<string>() };
  const sessions: Session[] = [];
  for await (const session of format.read(openFile('sample.jsonl', findings, { file }), context))
    sessions.push(session);
  return { sessions, findings: findings.list() };
}

const recorded = { input_tokens: 4_001, output_tokens: 37 };

/** Ways in which a line can carry a usage. */
const carried: Readonly<Record<string, object>> = {
  'at its top': { usage: recorded },
  'in its message': { message: { role: 'assistant', usage: recorded } },
  'in its payload': { payload: { type: 'usage_of_tomorrow', usage: recorded } },
  'deep in its data': { data: { inner: { result: { usage: recorded } } } },
  'in camel case': { usage: { inputTokens: 4_001, outputTokens: 37 } },
  "in pi's words": { usage: { input: 4_001, output: 37, cacheRead: 0, cacheWrite: 0 } },
  "in OpenAI's words": { response: { usage: { prompt_tokens: 4_001, completion_tokens: 37 } } },
};

const samples: readonly (readonly [Format, FormatSample])[] = formats.all.map((format) => {
  const sample = formatSamples[format.name];
  if (!sample) throw new Error(`test/contracts/format-samples.ts has no sample of ${format.name}`);
  return [format, sample];
});

describe.each(samples.map(([format, sample]) => ({ name: format.name, format, sample })))('$name', (each) => {
  const { format, sample } = each;

  test('reads its sample without a finding, and knows it', async () => {
    const { sessions, findings } = await read(format, sample.lines);
    expect(sessions.flatMap(({ requests }) => requests)).toHaveLength(sample.requests);
    expect(findings).toEqual([]);
    expect(formats.all.filter((it) => it.sniff(sample.lines))).toEqual([format]);
  });

  const ways = sample.kinds.flatMap((kind) => Object.keys(carried).map((way) => ({ kind, way })));

  test.each(ways)('says that it passed over a line of kind $kind with a usage $way', async ({ kind, way }) => {
    const strange = { ...sample.envelope, ...carried[way], ...kindFields(kind) };
    const { sessions, findings } = await read(format, [...sample.lines, strange]);
    const line = sample.lines.length + 1;
    // Where a damaged line spoils the file, or rows have no kinds, any finding there is enough: it names what is missing.
    const isEnough = format.isStrict === true || format.columns !== undefined;
    const said = findings.filter(({ first, tokens }) => first.endsWith(`:${line}`) && (isEnough || tokens));
    const billed = sessions.flatMap(({ requests, abandoned }) => [...requests, ...abandoned]).length;
    if (billed > sample.requests) return;
    expect(said).not.toEqual([]);
    if (!isEnough) expect(said.map(({ tokens }) => tokens)).toContainEqual({ input: 4_001, output: 37 });
  });
});

/** `type` or `type/subtype`. */
function kindFields(kind: string): object {
  const [type, subtype] = kind.split('/');
  return subtype === undefined ? { type } : { type, subtype };
}
