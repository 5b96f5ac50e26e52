import { firstText, isRecord, type JsonRecord, recordOf, textOf } from './records.ts';

/** One line of either schema as a type and what it carries. */
export interface Line {
  readonly type: string;
  readonly payload: JsonRecord;
  readonly timestamp: unknown;
  /** The line as it stands. */
  readonly raw: JsonRecord;
}

/** Line types that hold nothing of the context, the usage or the turns. */
export const ignoredLines: ReadonlySet<string> = new Set([
  'state',
  'world_state',
  'security_risk_score',
  'inter_agent_communication',
  'inter_agent_communication_metadata',
  'realtime_item',
  'retained_context',
]);

const wrapped = new Set([
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
  'token_usage_record',
]);

/** Reads a line; undefined if it is no object. The schema of early 2025 has no wrapper: its lines are items, or the header. */
export function readLine(raw: unknown): Line | undefined {
  if (!isRecord(raw)) return undefined;
  const { timestamp } = raw;
  const type = textOf(raw.type) ?? '';
  if (isRecord(raw.payload)) return { type, payload: raw.payload, timestamp, raw };
  if (raw.record_type !== undefined) return { type: firstText(raw.record_type) ?? '', payload: raw, timestamp, raw };
  if (isOldHeader(raw)) return { type: 'session_meta', payload: raw, timestamp, raw };
  if (wrapped.has(type) || ignoredLines.has(type)) return { type, payload: recordOf(raw.payload), timestamp, raw };
  return { type: 'response_item', payload: raw, timestamp, raw };
}

/** True if a parsed line can only come from a rollout. */
export function isRolloutLine(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return (
    (isRecord(value.payload) && wrapped.has(textOf(value.type) ?? '')) ||
    value.record_type === 'state' ||
    isOldHeader(value)
  );
}

function isOldHeader(value: JsonRecord): boolean {
  return (
    value.type === undefined &&
    textOf(value.id) !== undefined &&
    value.timestamp !== undefined &&
    ('instructions' in value || 'git' in value)
  );
}

/** Events of the user interface: what they show stands in the items, or is not in the context at all. */
const ignoredEvents = new Set([
  'agent_message',
  'agent_reasoning',
  'agent_reasoning_raw_content',
  'agent_reasoning_section_break',
  'background_event',
  'context_compacted',
  'deprecation_notice',
  'entered_review_mode',
  'error',
  'exited_review_mode',
  'guardian_assessment',
  'hook_completed',
  'hook_started',
  'item_completed',
  'item_started',
  'model_reroute',
  'plan_update',
  'raw_response_item',
  'session_configured',
  'shutdown_complete',
  'stream_error',
  'sub_agent_activity',
  'terminal_interaction',
  'turn_diff',
  'undo_completed',
  'undo_started',
  'view_image_tool_call',
  'warning',
]);

const ignoredEventFamilies =
  /(_begin|_end|_delta|_update|_updated|_applied|_request|_response|_complete|_available|_input|_permissions)$/;

/** True for an event that a reader of contexts has no use for. */
export function isIgnoredEvent(type: string): boolean {
  return ignoredEvents.has(type) || ignoredEventFamilies.test(type);
}
