/**
 * The open connections, and which of them are closed if there are too many or if they are idle. New connections are never
 * refused: the one that has been idle longest is closed instead. A connection is idle while the server answers no request
 * on it, even during a handshake or a half-sent request.
 */
import type { Clock, Timer } from '@tandem/runtime';

/** The part of a socket that this file uses. */
interface Closable {
  destroy(): void;
}

interface ConnectionTableOptions {
  readonly clock: Clock;
  readonly onCount: (count: number) => void;
  readonly onShed: (reason: 'idle' | 'crowded') => void;
}

export const connectionLimits = {
  /** Ten times as many connections as a dozen probes and scrapers need. */
  connectionsMax: 128,
  /** The limit from the opening of a connection to the end of its first request's headers. */
  firstRequestMs: 30_000,
  /** The limit between requests. Scrapers return every 15 to 60 seconds. */
  idleMs: 90_000,
  /** How late a limit may be enforced. */
  sweepEveryMs: 1_000,
} as const;

interface Entry {
  /** When it opened, or when its last request ended. */
  sinceMs: number;
  requests: number;
  hasAsked: boolean;
}

export class ConnectionTable<Connection extends Closable> {
  readonly #options: ConnectionTableOptions;
  /** Idle connections are in the order in which they became idle; busy ones may be anywhere. */
  readonly #entries = new Map<Connection, Entry>();
  #sweep: Timer | undefined;

  constructor(options: ConnectionTableOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  opened(connection: Connection): void {
    this.#entries.set(connection, { sinceMs: this.#nowMs(), requests: 0, hasAsked: false });
    if (this.#entries.size > connectionLimits.connectionsMax) this.#makeRoom(connection);
    this.#options.onCount(this.#entries.size);
    this.#sweep ??= this.#sweepLater();
  }

  closed(connection: Connection): void {
    this.#entries.delete(connection);
    this.#options.onCount(this.#entries.size);
    if (this.#entries.size > 0) return;
    this.#sweep?.cancel();
    this.#sweep = undefined;
  }

  /** Records that a request began, and returns how many requests of the connection are being answered. */
  began(connection: Connection): number {
    const entry = this.#entries.get(connection);
    if (entry === undefined) return 0;
    entry.requests += 1;
    entry.hasAsked = true;
    return entry.requests;
  }

  ended(connection: Connection): void {
    const entry = this.#entries.get(connection);
    if (entry === undefined) return;
    entry.requests -= 1;
    if (entry.requests > 0) return;
    entry.sinceMs = this.#nowMs();
    // Moves it behind the other idle connections.
    this.#entries.delete(connection);
    this.#entries.set(connection, entry);
  }

  /** Closes idle connections, or all of them. */
  close(which: 'idle' | 'all'): void {
    for (const [connection, { requests }] of this.#entries) {
      if (which === 'all' || requests === 0) connection.destroy();
    }
  }

  /** If all are busy, the oldest is closed: its request had the most time. */
  #makeRoom(newcomer: Connection): void {
    const others = [...this.#entries].filter(([connection]) => connection !== newcomer);
    const [chosen] = others.find(([, { requests }]) => requests === 0) ?? others[0] ?? [];
    if (chosen !== undefined) this.#shed(chosen, 'crowded');
  }

  #sweepLater(): Timer {
    return this.#options.clock.after(connectionLimits.sweepEveryMs, () => {
      this.#shedIdle();
      this.#sweep = this.#entries.size === 0 ? undefined : this.#sweepLater();
    });
  }

  #shedIdle(): void {
    const nowMs = this.#nowMs();
    for (const [connection, { sinceMs, requests, hasAsked }] of this.#entries) {
      const limitMs = hasAsked ? connectionLimits.idleMs : connectionLimits.firstRequestMs;
      if (requests === 0 && nowMs - sinceMs >= limitMs) this.#shed(connection, 'idle');
    }
  }

  #shed(connection: Connection, reason: 'idle' | 'crowded'): void {
    this.#options.onShed(reason);
    this.#entries.delete(connection);
    connection.destroy();
  }

  #nowMs(): number {
    return this.#options.clock.monotonic();
  }
}
