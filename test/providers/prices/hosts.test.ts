import { describe, expect, it } from 'vitest';
import { hostOf } from '../../../src/providers/prices/hosts.ts';
import { normalizeModel } from '../../../src/providers/prices/normalize.ts';

describe('who served a model', () => {
  it.each([
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'bedrock', 'regional', 'claude-sonnet-4-5'],
    ['eu.anthropic.claude-sonnet-4-6', 'bedrock', 'regional', 'claude-sonnet-4-6'],
    ['jp.anthropic.claude-haiku-4-5-20251001-v1:0', 'bedrock', 'regional', 'claude-haiku-4-5'],
    ['us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0', 'bedrock', 'regional', 'claude-sonnet-4-5'],
    ['global.anthropic.claude-opus-4-6-v1', 'bedrock', 'global', 'claude-opus-4-6'],
    ['anthropic.claude-sonnet-4-5-20250929-v1:0', 'bedrock', 'regional', 'claude-sonnet-4-5'],
    ['bedrock/us-east-1/anthropic.claude-sonnet-4-5-20250929-v1:0', 'bedrock', 'regional', 'claude-sonnet-4-5'],
    ['bedrock/converse/global.anthropic.claude-opus-5', 'bedrock', 'global', 'claude-opus-5'],
    ['amazon-bedrock/us.anthropic.claude-opus-5', 'bedrock', 'regional', 'claude-opus-5'],
    [
      'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'bedrock',
      'regional',
      'claude-sonnet-4-5',
    ],
    ['vertex_ai/claude-sonnet-4-5@20250929', 'vertex', 'global', 'claude-sonnet-4-5'],
    ['claude-opus-4-5@20251101', 'vertex', 'global', 'claude-opus-4-5'],
    ['google-vertex/us-east5/claude-opus-5', 'vertex', 'regional', 'claude-opus-5'],
    [
      'projects/my-project/locations/europe-west1/publishers/anthropic/models/claude-opus-5',
      'vertex',
      'regional',
      'claude-opus-5',
    ],
    ['projects/p/locations/global/publishers/anthropic/models/claude-opus-5', 'vertex', 'global', 'claude-opus-5'],
    ['openrouter/anthropic/claude-sonnet-4.5', 'openrouter', 'global', 'claude-sonnet-4-5'],
    ['azure/gpt-5', 'azure', 'global', 'gpt-5'],
  ])('%s', (id, name, region, model) => {
    expect(hostOf(id)).toEqual({ name, region });
    expect(normalizeModel(id)).toBe(model);
  });

  it.each([
    'claude-sonnet-4-5',
    'claude-sonnet-4-5-20250929',
    'anthropic/claude-sonnet-4.5',
    'gpt-5.5',
    'gemini-2.5-pro',
  ])('%s is served by its maker, or does not say by whom', (id) => expect(hostOf(id)).toBeUndefined());
});
