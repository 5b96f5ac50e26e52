export { type FindOptions, findInputs } from './inputs.ts';
export { joinSources } from './join.ts';
export { defaultLocations, type Location } from './locations.ts';
export { type OpenOptions, openFile, openStdin } from './open.ts';
export type { JsonLine, Source } from './source.ts';
export { laterStates } from './states.ts';
export { isStoredResult } from './stored-result.ts';
export { parseTime } from './time.ts';
export type { Input } from './unique.ts';
