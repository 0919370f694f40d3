/**
 * Asks EC2 for many instances: by a filter, in as few calls as EC2 allows. Each call is a reading, which
 * stands for the values that it asked about: one that fails leaves the others valid (P3). EC2 fails every
 * filtered call while one zone is down, so that ids are then asked for zone by zone. No document says with
 * which code it fails, so any may be that of a zone. In March 2026 calls about a zone in trouble got no answer at all
 * (https://github.com/aws/karpenter-provider-aws/pull/9031), so silence counts as well.
 */
import { quote } from '@tandem/core/node-address';
import type { Clock } from '@tandem/runtime';
import { AWSError, notFoundCode } from './failure.ts';
import { filterValuesMax, type InstanceApi } from './instance-api.ts';
import type { Instance } from './sdk/actions.ts';

export interface Reading {
  /** The ids or names that were asked about. */
  readonly values: readonly string[];
  readonly outcome:
    | { readonly kind: 'read'; readonly instances: readonly Instance[]; readonly asOfMs: number }
    | { readonly kind: 'failed'; readonly err: AWSError };
}

export interface FindOptions {
  readonly instances: InstanceApi;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export async function findByName(
  names: readonly string[],
  options: FindOptions,
): Promise<readonly Reading[]> {
  const readings = await Promise.all(
    chunks(names).map(async (chunk) => {
      const reading = await readByFilter(nameFilter, chunk, options);
      return isEmpty(reading) ? confirmNames(reading, options) : [reading];
    }),
  );
  return readings.flat();
}

const nameFilter = 'private-dns-name';

/**
 * Asks again, together with a name that the filter found before. If it no longer finds that name either, it gives no
 * answer, because names cannot be asked for in another way. Before it has found any, no node has an instance to lose.
 */
async function confirmNames(reading: Reading, options: FindOptions): Promise<readonly Reading[]> {
  const { shownName } = options.instances;
  if (shownName === undefined) return [reading];
  const confirmed = chunks(reading.values, filterValuesMax - 1).map(async (values) => {
    const again = await readByFilter(nameFilter, [shownName, ...values], options);
    if (!isEmpty(again)) return again;
    const found = `no instance by ${nameFilter}, not even ${quote(shownName)}, which it found before`;
    const err = new AWSError('EC2CallFailed', `DescribeInstances of EC2 failed: it finds ${found}`);
    return { values, outcome: { kind: 'failed', err } } as const;
  });
  return Promise.all(confirmed);
}

/** An empty answer proves nothing (P3). */
function isEmpty({ outcome }: Reading): boolean {
  return outcome.kind === 'read' && outcome.instances.length === 0;
}

/** `zones` has the zone of every id, or an empty text. */
export async function findById(
  zones: ReadonlyMap<string, string>,
  options: FindOptions,
): Promise<readonly Reading[]> {
  const readings = await Promise.all(
    chunks([...zones.keys()]).map(async (ids) => {
      const reading = await readByFilter('instance-id', ids, options);
      const { outcome } = reading;
      if (outcome.kind === 'failed') {
        return outcome.err.isTrouble ? readByZone(ids, zones, options) : [reading];
      }
      return isEmpty(reading) ? confirmAbsence(ids, zones, options) : [reading];
    }),
  );
  return readings.flat();
}

/**
 * Asks again, together with an instance that exists. If the answer shows that instance, the filter works, and the others
 * do not exist. If it does not, they are asked for by ids: EC2 denies those by name, but one call for each.
 */
async function confirmAbsence(
  ids: readonly string[],
  zones: ReadonlyMap<string, string>,
  options: FindOptions,
): Promise<readonly Reading[]> {
  const { shownId } = options.instances;
  if (shownId === undefined) return readByZone(ids, zones, options);
  const confirmed = chunks(ids, filterValuesMax - 1).map(async (some) => {
    const reading = await readByFilter('instance-id', [shownId, ...some], options);
    return shows(reading, shownId) ? [reading] : readByZone(some, zones, options);
  });
  return (await Promise.all(confirmed)).flat();
}

function shows({ outcome }: Reading, id: string): boolean {
  return outcome.kind === 'read' && outcome.instances.some(({ InstanceId }) => InstanceId === id);
}

async function readByZone(
  ids: readonly string[],
  zones: ReadonlyMap<string, string>,
  options: FindOptions,
): Promise<readonly Reading[]> {
  const byZone = Map.groupBy(ids, (id) => zones.get(id) ?? '');
  const perZone = [...byZone.values()].map((ofZone) => readByIds(ofZone, options));
  return (await Promise.all(perZone)).flat();
}

function chunks(values: readonly string[], size: number = filterValuesMax): string[][] {
  const count = Math.ceil(values.length / size);
  return Array.from({ length: count }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  );
}

async function readByFilter(
  name: string,
  values: readonly string[],
  options: FindOptions,
): Promise<Reading> {
  const filter = { Name: name, Values: [...values] };
  return read(values, options, () => options.instances.findByFilter(filter, options.signal));
}

/** Halves of halves: at most 15 calls a zone, because EC2 is in trouble when ids are asked for so. */
const splitsMax = 3;

/** One id that does not exist fails the call, so that the others are asked for in halves. */
async function readByIds(
  ids: readonly string[],
  options: FindOptions,
  splits = 0,
): Promise<readonly Reading[]> {
  const reading = await read(ids, options, () => options.instances.getByIds(ids, options.signal));
  const { outcome } = reading;
  if (outcome.kind === 'read' || outcome.err.ec2Code !== notFoundCode) return [reading];
  if (ids.length === 1) {
    const { asOfMs } = reading;
    return [{ values: ids, outcome: { kind: 'read', instances: [], asOfMs } }];
  }
  if (splits === splitsMax) return [reading];
  const half = Math.ceil(ids.length / 2);
  const halves = [ids.slice(0, half), ids.slice(half)];
  return (await Promise.all(halves.map((some) => readByIds(some, options, splits + 1)))).flat();
}

async function read(
  values: readonly string[],
  { clock, signal }: FindOptions,
  ask: () => Promise<readonly Instance[]>,
): Promise<Reading & { readonly asOfMs: number }> {
  // From before the call: what changes while it is under way may be missing.
  const asOfMs = clock.monotonic();
  try {
    return { values, asOfMs, outcome: { kind: 'read', instances: await ask(), asOfMs } };
  } catch (err) {
    if (!(err instanceof AWSError) || signal.aborted) throw err;
    return { values, asOfMs, outcome: { kind: 'failed', err } };
  }
}
