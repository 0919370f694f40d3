/**
 * Blocks of nodes that are gone (I7): where routes are managed, a manager gives such a block to another node only
 * after a list that began when the first one was gone and shows no route of ours to any address of it. A manager
 * answers for nodes that it knew: those that it gave the block to itself, and those that were there when it had begun to
 * give out blocks. What went before, with its predecessor, leaves routes that are replaced before they count (T5).
 */
import type { Route, RouteListing } from '@tandem/provider/plug';
import type { Clock } from '@tandem/runtime';
import type { Writer } from './author.ts';
import { doOverlap, type NaiveCidr, naiveCidr } from './naive-cidr.ts';
import { isInScope } from './route-law.ts';
import type { Accuse } from './violation.ts';
import type { RoutePlan } from '../plan/index.ts';

interface Holding {
  readonly name: string;
  readonly cidrs: readonly NaiveCidr[];
  readonly version: number;
  /** Who gave it, and in which term; undefined where it was no manager. */
  readonly by: string | undefined;
}

interface Departure extends Holding {
  readonly goneAtMs: number;
}

interface ReuseLawOptions {
  readonly plan: RoutePlan;
  readonly clock: Clock;
  readonly accuse: Accuse;
}

export class ReuseLaw {
  readonly #plan: RoutePlan;
  readonly #clock: Clock;
  readonly #accuse: Accuse;
  readonly #held = new Map<string, Holding>();
  readonly #departed: Departure[] = [];
  /** When each manager has given out its first block of a term. */
  readonly #begunAtMs = new Map<string, number>();

  constructor({ plan, clock, accuse }: ReuseLawOptions) {
    this.#plan = plan;
    this.#clock = clock;
    this.#accuse = accuse;
  }

  assigned(uid: string, holding: Omit<Holding, 'by'>, writer: Writer | undefined): void {
    if (writer !== undefined) this.#lookAt(holding, writer);
    const by = writer && termOf(writer);
    if (by !== undefined && !this.#begunAtMs.has(by)) {
      this.#begunAtMs.set(by, this.#clock.monotonic());
    }
    this.#held.set(uid, { ...holding, by });
  }

  gone(uid: string): void {
    const held = this.#held.get(uid);
    this.#held.delete(uid);
    if (held === undefined) return;
    this.#departed.push({ ...held, goneAtMs: this.#clock.monotonic() });
  }

  #lookAt({ name, cidrs }: Omit<Holding, 'by'>, writer: Writer): void {
    const { author, ledSince } = writer;
    const term = termOf(writer);
    const begunAtMs = this.#begunAtMs.get(term) ?? Number.POSITIVE_INFINITY;
    for (const departed of this.#departed) {
      const { goneAtMs, version, by } = departed;
      const wasThere = version <= ledSince && goneAtMs > begunAtMs;
      if (by !== term && !wasThere) continue;
      const shared = departed.cidrs.filter((one) => cidrs.some((cidr) => doOverlap(cidr, one)));
      const isFree = (one: NaiveCidr): boolean =>
        author.routes.listings.some(
          (listing) => listing.asOfMs >= goneAtMs && this.#showsNoRouteTo(listing, one),
        );
      if (shared.every(isFree)) continue;
      this.#accuse('I7', `${name} got a block of ${departed.name} that may still be routed`);
    }
  }

  #showsNoRouteTo({ tables }: RouteListing, block: NaiveCidr): boolean {
    const isOn = ({ destination, ours, target }: Route): boolean =>
      isInScope(this.#plan, destination) &&
      (ours || target.kind === 'blackhole' || target.kind === 'unknown') &&
      doOverlap(naiveCidr(destination), block);
    return tables.every(({ routes }) => !routes.some(isOn));
  }
}

function termOf({ author, ledSince }: Writer): string {
  return `${author.name} ${ledSince}`;
}
