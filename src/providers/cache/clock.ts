/**
 * The time that has passed in a lane, milliseconds. Only known steps forward count: a missing time, or a clock that runs
 * backwards, is no time passed.
 */
export class LaneClock {
  now = 0;
  #last = Number.NaN;

  /** Moves on to a request's start (milliseconds since the epoch, NaN where unknown). */
  moveTo(time: number): void {
    if (Number.isNaN(time)) return;
    if (time > this.#last) this.now += time - this.#last;
    if (!(time <= this.#last)) this.#last = time;
  }
}
