import { randomBytes } from 'node:crypto';
import { appendFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Bytes: a limit, twice what SQLite then keeps beside the file before it takes it in. */
const most = 2 << 20;
/** The part of what is free that a reserve may take: it must not be what fills a small disk. */
const share = 4;
/** Bytes; less would not help. */
const least = 64 << 10;

/**
 * A file beside an archive that takes up room on the disk. To forget takes a little room before it makes some, and on a full disk this is
 * where it comes from.
 */
export class Reserve {
  readonly path: string;

  constructor(file: string) {
    this.path = `${file}-reserve`;
  }

  /** Bytes. */
  get size(): number {
    return statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Makes it as large as the disk allows. Random bytes, because some file systems take no room for zeros. */
  make(): void {
    try {
      const { bavail, bsize } = statfsSync(dirname(this.path));
      const size = this.size;
      const wanted = Math.min(most, Math.floor((bavail * bsize + size) / share));
      if (wanted >= least && size < wanted)
        appendFileSync(this.path, randomBytes(wanted - size), { mode: 0o600 });
    } catch {
      // Nobody needs it before the disk is full.
    }
  }

  /** Gives its room back. */
  release(): void {
    rmSync(this.path, { force: true });
  }
}
