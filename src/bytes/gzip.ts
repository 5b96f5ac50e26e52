import { gunzipSync } from 'node:zlib';
import type { ReadBytes } from './scan.ts';

const chunkBytes = 1024 * 1024;

/** The bytes behind a gzip wrapper, or the bytes themselves where there is none; told by content, not by name. */
export function unwrapGzip(read: ReadBytes): ReadBytes {
  const magic = Buffer.alloc(2);
  if (read(magic, 0, 2, 0) < 2 || magic[0] !== 0x1f || magic[1] !== 0x8b) return read;
  return readBuffer(gunzipSync(readAll(read)));
}

/** A buffer as a file is read. */
export function readBuffer(all: Buffer): ReadBytes {
  return (into, offset, length, position) => all.copy(into, offset, position, Math.min(position + length, all.length));
}

function readAll(read: ReadBytes): Buffer {
  const chunks: Buffer[] = [];
  for (let position = 0; ; ) {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const got = read(chunk, 0, chunkBytes, position);
    if (got === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, got));
    position += got;
  }
}
