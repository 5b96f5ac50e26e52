import { expect, test } from 'vitest';
import { ReadSteps } from '../../src/analysis/read-steps.ts';

function learned(reads: readonly number[]): { step: number; offset: number } {
  const steps = new ReadSteps();
  for (const read of reads) steps.observe(read);
  return { step: steps.step, offset: steps.offset };
}

test('knows the documented step before it has seen anything', () => {
  expect(learned([])).toEqual({ step: 128, offset: 0 });
  expect(learned([0, 0, 0, 0])).toEqual({ step: 128, offset: 0 });
});

test('takes two reads that agree for chance, three for a step', () => {
  expect(learned([896, 1920])).toEqual({ step: 128, offset: 0 });
  expect(learned([896, 1408, 1920])).toEqual({ step: 512, offset: 384 });
});

test('takes the largest step that nearly all reads share', () => {
  const reads = [1792, 2816, 3840, 5888, 7936, 6912, 9984, 11_008];
  expect(learned(reads)).toEqual({ step: 1024, offset: 768 });
  expect(learned([...reads, 1280])).toEqual({ step: 1024, offset: 768 });
  // Three of eleven are too many.
  expect(learned([...reads, 1408, 1664, 1920])).toEqual({ step: 128, offset: 0 });
});
