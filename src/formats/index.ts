import { createRegistry } from '../registry.ts';
import { claudeCode } from './claude-code/index.ts';
import { codex } from './codex/index.ts';
import type { Format } from './format.ts';
import { native } from './native/index.ts';
import { pi } from './pi/index.ts';
import { requestLog } from './request-log/index.ts';

export { detectFormat } from './detect.ts';
export { FormatParts } from './parts.ts';

/** Every transcript format. A new one is one folder and two lines here. */
export const formats = createRegistry<Format>('transcript format', [native, claudeCode, codex, pi, requestLog]);
