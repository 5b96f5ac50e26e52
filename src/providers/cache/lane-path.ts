import type { PromptView } from '../provider.ts';

/** The prefixes of a lane's last request, by position. */
export class LanePath {
  nodes = new Int32Array(256);
  length = 0;

  /** Takes over the first `length` positions of a request, of which the first `common` prefixes are the path's own. */
  follow(view: PromptView, common: number, length = view.length): void {
    if (length > this.nodes.length) {
      const longer = new Int32Array(Math.max(length, this.nodes.length * 2));
      longer.set(this.nodes);
      this.nodes = longer;
    }
    for (let at = common; at < length; at += 1) this.nodes[at] = view.nodes[at] as number;
    this.length = length;
  }
}
