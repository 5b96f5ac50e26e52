import { z } from 'zod';
import { checkSchema, configSchema } from './check.ts';
import { explanationSchema } from './explanation.ts';
import { resultSchema } from './result.ts';

/** The JSON Schemas that ship with the package, by file name: what other programs may rely on. */
export function jsonSchemas(): Record<string, unknown> {
  return {
    'result.json': z.toJSONSchema(resultSchema),
    'check.json': z.toJSONSchema(checkSchema),
    'config.json': z.toJSONSchema(configSchema, { io: 'input' }),
    'explanation.json': z.toJSONSchema(explanationSchema),
  };
}
