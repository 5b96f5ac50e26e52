import type { Block } from '../../session/index.ts';
import type { Item } from './items.ts';

/** One response on its way: the file holds its items before the event that counts its tokens. */
export class Response {
  /** What entered the context before the model spoke. */
  readonly inputs: Item[] = [];
  readonly outputs: Item[] = [];
  /** What stands behind the output: from 0.139 on, results are written before the count. */
  readonly after: Item[] = [];
  /** When the last input before the output was written. */
  start: number | undefined;
  /** Line of the first output. */
  line = 0;
  #isClosed = false;

  get hasOutput(): boolean {
    return this.outputs.length > 0;
  }

  /** True if output that comes now belongs to the next response. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  addInput(item: Item): void {
    if (!this.hasOutput) this.inputs.push(item);
    else this.after.push(item);
    if (item.from !== 'harness') this.close();
  }

  addOutput(item: Item, line: number, start: number | undefined): void {
    if (!this.hasOutput) {
      this.line = line;
      this.start = start;
    }
    this.outputs.push(item);
  }

  /** Nothing more can come from the model in this response. */
  close(): void {
    this.#isClosed = this.hasOutput;
  }

  /** The output as blocks; the reasoning tokens go to its first encrypted reasoning item. */
  outputBlocks(reasoning: number): Block[] {
    const carrier = reasoning > 0 ? this.outputs.findIndex((item) => item.hidden) : -1;
    return this.outputs.map(({ block }, at) => (at === carrier ? { ...block, hiddenTokens: reasoning } : block));
  }
}
