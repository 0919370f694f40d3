/**
 * A cloud as one process meets it: what the cloud says reaches it when it runs, or never, and is kept as its evidence.
 * A change of routes that was asked for takes place whatever becomes of the process; the next one is asked for
 * only by a process that runs.
 */
import type { Provider, RouteOperation, RouteOutcome, Routes } from '@tandem/provider/plug';
import type { Clock } from '@tandem/runtime';
import { asksToWait, type Author, type RouteLaw } from '../oracle/index.ts';
import type { ProcessLife } from './process-life.ts';
import type { Trace } from './trace.ts';

interface HeardProviderOptions {
  readonly provider: Provider;
  readonly author: Author;
  readonly life: ProcessLife;
  readonly clock: Clock;
  /** The version of the store that the process has seen. */
  readonly seenVersion: () => number;
  /** Where the cloud has route tables. */
  readonly routeLaw: RouteLaw | undefined;
  readonly trace: Trace | undefined;
}

export function heardProvider(options: HeardProviderOptions): Provider {
  const { provider, author, life, clock } = options;
  const { routes } = provider;
  return {
    name: provider.name,
    identify: (providerID) => provider.identify(providerID),
    watch: (onChange, watching) =>
      provider.watch?.((keys) => life.reach(() => onChange(keys)), watching),
    lookup: async (nodes, asked) => {
      const atMs = clock.monotonic();
      const answers = await provider.lookup(nodes, asked);
      if (life.isPaused) await life.awake();
      author.evidence.told(nodes, answers, { maxAgeMs: asked.maxAgeMs, atMs });
      return life.isAlive ? answers : never();
    },
    ...(routes === undefined ? {} : { routes: heardRoutes(routes, options) }),
  };
}

function heardRoutes(routes: Routes, options: HeardProviderOptions): Routes {
  const { author, life, seenVersion, trace } = options;
  return {
    families: routes.families,
    ...(routes.limits === undefined ? {} : { limits: routes.limits }),
    list: async (asked) => {
      author.routes.seenVersion = seenVersion();
      const listing = await reached(life, routes.list(asked));
      author.routes.listings.push(listing);
      trace?.add(author.name, `listed ${JSON.stringify(listing)}`);
      return listing;
    },
    apply: async (operations, asked) => {
      try {
        return await applyAll(operations, routes, asked, options);
      } catch (err) {
        // The process hears of none of them what became of it.
        for (const operation of operations) tellEnd(operation, undefined, options);
        throw err;
      }
    },
  };
}

async function applyAll(
  operations: readonly RouteOperation[],
  routes: Routes,
  asked: Parameters<Routes['apply']>[1],
  options: HeardProviderOptions,
): Promise<readonly RouteOutcome[]> {
  const { life } = options;
  const outcomes: RouteOutcome[] = [];
  for (const operation of operations) {
    if (life.isPaused) await life.awake();
    if (!life.isAlive) return never();
    const last = outcomes.at(-1);
    // What was throttled is not asked again in the same call.
    const isOver = last !== undefined && asksToWait(last);
    outcomes.push(isOver ? last : await applyOne(operation, routes, asked, options));
    if (isOver) tellEnd(operation, last, options);
  }
  return outcomes;
}

async function applyOne(
  operation: RouteOperation,
  routes: Routes,
  asked: Parameters<Routes['apply']>[1],
  options: HeardProviderOptions,
): Promise<RouteOutcome> {
  const { author, life, routeLaw } = options;
  const destination = routeLaw?.destinationOf(operation);
  const beforeWrite = (): void => {
    asked.beforeWrite();
    routeLaw?.asked(author, operation);
    if (destination !== undefined) author.routes.began(destination);
  };
  const tell = (outcome: RouteOutcome | undefined): void =>
    tellEnd(operation, outcome, { ...options, destination });
  try {
    const [outcome] = await reached(life, routes.apply([operation], { ...asked, beforeWrite }));
    if (outcome === undefined) throw new Error('an operation without an outcome');
    tell(outcome);
    return outcome;
  } catch (err) {
    tell(undefined);
    throw err;
  }
}

/** Undefined where there was no answer. */
function tellEnd(
  operation: RouteOperation,
  outcome: RouteOutcome | undefined,
  options: HeardProviderOptions & { readonly destination?: string | undefined },
): void {
  const { author, clock, routeLaw, trace } = options;
  const { destination = routeLaw?.destinationOf(operation) } = options;
  trace?.add(author.name, `${JSON.stringify(operation)} -> ${outcome?.kind ?? 'no answer'}`);
  if (destination !== undefined) author.routes.ended(destination, outcome, clock.monotonic());
}

/** What a process waits for reaches it when it runs; what a dead one waits for never comes. */
async function reached<T>(life: ProcessLife, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } finally {
    if (life.isPaused) await life.awake();
    if (!life.isAlive) await never();
  }
}

/** Another one for each who waits: one for all would keep every world that ever was. */
const never = (): Promise<never> => new Promise(() => {});
