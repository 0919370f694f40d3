/**
 * Looks up every initialised node once a period, because clouds do not report changes. Nodes are grouped
 * by the size of one call, and the groups are spread over the period with jitter, so that several
 * managers of one account do not call in step: 5,000 nodes are ten calls in five minutes, and no burst.
 */
import { type Clock, type Random, sleep } from '@tandem/runtime';

export interface RefreshOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly periodMs: number;
  /** Nodes in one call. */
  readonly groupSize: number;
  /** The names of all nodes in the cache now. */
  readonly names: () => readonly string[];
  readonly onDue: (name: string) => void;
}

/** The random part of the time between two groups. */
const jitter = 0.2;

/** Runs until the signal aborts. */
export async function refresh(options: RefreshOptions, signal: AbortSignal): Promise<void> {
  const { clock, periodMs, groupSize, names, onDue } = options;
  const random = options.random.fork('refresh');
  for (let startMs = clock.monotonic(); ; startMs = nextStart(startMs, options)) {
    const all = names();
    const groups = Math.max(1, Math.ceil(all.length / groupSize));
    const gapMs = periodMs / groups;
    for (let group = 0; group < groups; group++) {
      const dueMs = startMs + gapMs * (group + 1 - jitter * random.next());
      if (!(await hasSlept(clock, dueMs - clock.monotonic(), signal))) return;
      for (const name of all.slice(group * groupSize, (group + 1) * groupSize)) onDue(name);
    }
  }
}

/** Periods that were missed while the machine slept are not repeated. */
function nextStart(startMs: number, { clock, periodMs }: RefreshOptions): number {
  return Math.max(startMs + periodMs, clock.monotonic() - periodMs);
}

async function hasSlept(clock: Clock, delayMs: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(clock, delayMs, signal);
    return true;
  } catch {
    return false;
  }
}
