import { formatCount, formatCounted } from '../units.ts';
import { type Io, usualWidth } from './io.ts';

/** Called when a file is begun; `done` of `total` are behind it. At the end all are. */
export type Progress = (done: number, total: number, path: string) => void;

/** The line is drawn anew at most so often, in milliseconds: a terminal is slower than small files. */
const redrawAfter = 100;

/** Says on a terminal's stderr how far a run is, how fast, and how long it will take; nothing anywhere else. */
export function progressOf(io: Io, quiet: boolean): Progress {
  if (quiet || !io.stderrIsTerminal) return () => {};
  const start = io.now();
  let drawn = Number.NEGATIVE_INFINITY;
  return (done, total, path) => {
    const now = io.now();
    if (done < total && now - drawn < redrawAfter) return;
    drawn = now;
    io.err(
      `\r\u001b[K${done < total ? lineOf(done, total, (now - start) / 1000, path).slice(0, (io.errWidth ?? usualWidth) - 1) : ''}`,
    );
  };
}

/** `42 of 100 files · 3.1/s · 19 s left · logs/a.jsonl`; how long it takes is known once something is done. */
function lineOf(done: number, total: number, seconds: number, path: string): string {
  const parts = [`${formatCount(done)} of ${formatCounted(total, 'file')}`];
  if (done > 0 && seconds > 0) {
    const rate = done / seconds;
    parts.push(`${rate.toFixed(1)}/s`, `${durationText((total - done) / rate)} left`);
  }
  // A file name may hold escape sequences.
  return [...parts, path.replace(/\p{Cc}/gu, ' ')].join(' · ');
}

function durationText(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
