/**
 * Reads the inventory from disk, and again when it changes. It checks the file every half a second, because file
 * watches miss the swapped links of ConfigMaps and files on network disks. It reads a changed file only once two
 * checks in a row saw the same version, so that it does not read a file that is still being written. While the file
 * cannot be used, the last good inventory stays in use.
 */
import {
  type Clock,
  type Logger,
  type Metrics,
  sleep,
  type Timer,
  unreadableFile,
} from '@tandem/runtime';
import type { FileSystem } from './file-system.ts';
import type { Changes, Inventory } from './inventory.ts';
import { formatPosition, InventoryError, InventoryProblem } from './problem.ts';
import { readInventory } from './read-inventory.ts';
import type { SharedAddress } from './shared-addresses.ts';
import { type StaticMetrics, staticMetrics } from './static-metrics.ts';

/** The interval of checks. Two checks and the reading take less than the 2 s in which a change must take effect. */
const lookEveryMs = 500;

/** The maximum size: about 50,000 instances. A ConfigMap holds a sixteenth of it. */
export const fileBytesMax: number = 16 * 1024 * 1024;

/** How many refused entries, and how many shared addresses, are logged in full. */
const loggedMax = 20;

interface InventoryFileOptions {
  readonly path: string;
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The file as the last check found it, and whether its content is in use. */
type Seen =
  /** `err` says why the previous version could not be used. */
  | { readonly kind: 'changed'; readonly version: string; readonly err: InventoryError | undefined }
  | { readonly kind: 'taken'; readonly version: string; readonly err?: undefined }
  | { readonly kind: 'refused'; readonly version: string; readonly err: InventoryError }
  /** `version` is undefined if there is no file. The same version is read again. */
  | { readonly kind: 'unreadable'; readonly version?: string; readonly err: InventoryError };

export class InventoryFile {
  readonly #options: InventoryFileOptions;
  readonly #metrics: StaticMetrics;
  readonly #closed = new AbortController();
  readonly #listeners = new Set<(changes: Changes) => void>();
  #inventory: Inventory;
  /** The shared addresses about which the log has a warning. */
  #warned: ReadonlySet<string> = new Set();
  #asOfMs: number;
  #seen: Seen;
  #looking: Promise<void> | undefined;
  #timer: Timer | undefined;

  /** Reads the file for the first time. Rejects with an `InventoryError` if it cannot be used. */
  static async open(options: InventoryFileOptions): Promise<InventoryFile> {
    const asOfMs = options.clock.monotonic();
    const version = await versionOf(options);
    const inventory = await takeIn(options);
    return new InventoryFile(options, { inventory, version, asOfMs });
  }

  private constructor(
    options: InventoryFileOptions,
    first: {
      readonly inventory: Inventory;
      readonly version: string;
      readonly asOfMs: number;
    },
  ) {
    this.#options = options;
    this.#metrics = staticMetrics(options.metrics);
    this.#inventory = first.inventory;
    this.#asOfMs = first.asOfMs;
    this.#seen = { kind: 'taken', version: first.version };
    this.#report(first.inventory);
    this.#lookLater();
  }

  /** The last good inventory. */
  get inventory(): Inventory {
    return this.#inventory;
  }

  /**
   * When the last check began that found no unread change. The inventory is valid as of then: it is that of the file
   * or, while the file cannot be used, the last good one.
   */
  get asOfMs(): number {
    return this.#asOfMs;
  }

  /** Why the file on disk cannot be used; undefined while it is in use. */
  get trouble(): InventoryError | undefined {
    return this.#seen.err;
  }

  /** Resolves once the content that the file had at the time of the call is in use or refused. */
  async catchUp(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      // A check that is running may have begun before the call.
      await this.#looking;
      await this.#look();
      if (this.#seen.kind !== 'changed') return;
      await sleep(this.#options.clock, lookEveryMs, signal);
    }
  }

  /** Calls the listener with the changed instances after every new inventory, until the signal aborts. */
  onChange(listener: (changes: Changes) => void, signal?: AbortSignal): void {
    this.#listeners.add(listener);
    signal?.addEventListener('abort', () => this.#listeners.delete(listener), { once: true });
  }

  close(): void {
    this.#closed.abort();
    this.#timer?.cancel();
  }

  #lookLater(): void {
    if (this.#closed.signal.aborted) return;
    this.#timer = this.#options.clock.after(lookEveryMs, () => {
      void this.#look().then(() => this.#lookLater());
    });
  }

  /** Checks the file. Concurrent callers share one check. Never rejects. */
  #look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookOnce(): Promise<void> {
    const atMs = this.#options.clock.monotonic();
    await this.#lookAtDisk();
    if (this.#seen.kind !== 'changed') this.#asOfMs = atMs;
  }

  async #lookAtDisk(): Promise<void> {
    try {
      const version = await versionOf(this.#options);
      const seen = this.#seen;
      if (seen.version !== version) this.#seen = { kind: 'changed', version, err: seen.err };
      else if (seen.kind === 'changed' || seen.kind === 'unreadable') await this.#take(version);
    } catch (err) {
      this.#tell({ kind: 'unreadable', err: asError(this.#options.path, err) });
    }
  }

  async #take(version: string): Promise<void> {
    try {
      const inventory = await takeIn(this.#options);
      // If the file changed while it was read, the next check reads it again.
      if ((await versionOf(this.#options)) !== version) return;
      const changes = inventory.changesSince(this.#inventory);
      this.#inventory = inventory;
      this.#seen = { kind: 'taken', version };
      this.#report(inventory);
      for (const listener of this.#listeners) listener(changes);
    } catch (err) {
      const known = asError(this.#options.path, err);
      this.#tell(
        known.code === 'InventoryInvalid'
          ? { kind: 'refused', version, err: known }
          : { kind: 'unreadable', version, err: known },
      );
    }
  }

  #tell(seen: Extract<Seen, { kind: 'refused' | 'unreadable' }>): void {
    const isNews = this.trouble?.message !== seen.err.message;
    this.#seen = seen;
    this.#metrics.isStale(true);
    if (!isNews) return;
    this.#options.logger.error(
      { err: seen.err },
      'Could not use inventory, keeping the last good one',
    );
  }

  #report({ size, refusals, shared }: Inventory): void {
    const { logger, path } = this.#options;
    this.#metrics.took({ instances: size, refused: refusals.length });
    this.#metrics.isStale(false);
    logger.info({ file: path, instances: size, refused: refusals.length }, 'Read inventory');
    for (const { name, problem } of refusals.slice(0, loggedMax)) {
      const at = formatPosition(path, problem.place);
      logger.error({ at, instance: name, problem: problem.message }, 'Refused inventory entry');
    }
    this.#warnOfShared(shared);
  }

  /** Warns once about each address and the two machines that list it, and again only if they stopped in between. */
  #warnOfShared(shared: readonly SharedAddress[]): void {
    const { logger, path } = this.#options;
    const keyOf = ({ address, first, other }: SharedAddress): string =>
      JSON.stringify([address, first.name, other.name]);
    const news = shared.filter((one) => !this.#warned.has(keyOf(one)));
    this.#warned = new Set(shared.map(keyOf));
    for (const { address, first, other } of news.slice(0, loggedMax)) {
      const listed = { instance: other.name, at: formatPosition(path, other.place) };
      const before = { otherInstance: first.name, otherAt: formatPosition(path, first.place) };
      logger.warn(
        { IP: address, ...listed, ...before },
        'Found the same address in two inventory entries',
      );
    }
    const more = news.length - loggedMax;
    if (more > 0) logger.warn({ more }, 'Found more shared addresses in inventory');
  }
}

async function versionOf({ fileSystem, path }: InventoryFileOptions): Promise<string> {
  try {
    return await fileSystem.version(path);
  } catch (err) {
    throw asError(path, err);
  }
}

async function takeIn({ fileSystem, path, clock }: InventoryFileOptions): Promise<Inventory> {
  try {
    const text = await fileSystem.read(path, fileBytesMax);
    if (text === undefined) {
      const message = `the file is larger than ${fileBytesMax} bytes`;
      throw new InventoryProblem({ line: 1, column: 1 }, message);
    }
    return await readInventory(text, { path, pause: () => sleep(clock, 0) });
  } catch (err) {
    throw asError(path, err);
  }
}

function asError(path: string, err: unknown): InventoryError {
  if (err instanceof InventoryError) return err;
  if (err instanceof InventoryProblem) {
    const message = `Cannot use the inventory: ${formatPosition(path, err.place)}: ${err.message}`;
    return new InventoryError('InventoryInvalid', message, err);
  }
  const { problem, fix } = unreadableFile(err, { namedBy: '--cloud-config', path });
  return new InventoryError('InventoryNotReadable', `${problem} ${fix}`, err);
}
