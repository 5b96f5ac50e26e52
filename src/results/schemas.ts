import { z } from 'zod';
import { explanationSchema } from './explanation.ts';
import { resultSchema } from './result.ts';

/** The JSON Schemas that ship with the package, by file name: what other programs may rely on. */
export function jsonSchemas(): Record<string, unknown> {
  return {
    'result.json': z.toJSONSchema(resultSchema),
    'explanation.json': z.toJSONSchema(explanationSchema),
  };
}
