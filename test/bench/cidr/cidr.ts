/**
 * What a block of pod CIDRs costs: allocations a second from an empty set to an exhausted one, in both
 * families; a single allocation in a set that is nearly full; and the memory
 * of the bitmap. The first time through counts as warming up.
 */
import { CidrSet, type CidrSetOptions } from '@tandem/core/cidr-set';
import { type Cidr, parseCidr } from '@tandem/core/ip';
import type { Clock } from '@tandem/runtime';
import { median } from '../median.ts';
import type { BenchPorts, Report } from '../report.ts';
import { measureNearlyFull } from './nearly-full.ts';

const blockCount = 262_144;
const rounds = 9;

export async function benchCidr({ clock, say }: BenchPorts): Promise<Report> {
  const ipv4 = { range: readCidr('10.0.0.0/8'), blockPrefixLength: 26 };
  const ipv6 = { range: readCidr('fd00::/46'), blockPrefixLength: 64 };
  say(`giving out ${blockCount} blocks, ${rounds} times in each of two ranges; about 7 s`);
  const bitmapKiB = bitmapKiBOf(ipv4);
  const perSecond = allocationsPerSecond(clock, { ipv4, ipv6 });
  say('giving out single blocks of a set that is nearly full; about 10 s');
  const { p9999Us, probesMax } = measureNearlyFull(clock, ipv4);
  return {
    name: 'cidr',
    figures: {
      allocationsPerSecondIPv4: perSecond.ipv4,
      allocationsPerSecondIPv6: perSecond.ipv6,
      nearlyFullMicrosecondsP9999: p9999Us,
      nearlyFullWordProbesMax: probesMax,
      bitmapKiB,
    },
    targets: {
      allocationsPerSecondIPv4: { atLeast: 2_000_000 },
      allocationsPerSecondIPv6: { atLeast: 2_000_000 },
      nearlyFullMicrosecondsP9999: { atMost: 20 },
      nearlyFullWordProbesMax: { atMost: 8 },
      bitmapKiB: { atMost: 64 },
    },
  };
}

type Ranges<Value> = Record<'ipv4' | 'ipv6', Value>;

/** The median of rounds in which the ranges take turns, so that a busy spell of the machine falls on all. */
function allocationsPerSecond(clock: Clock, ranges: Ranges<CidrSetOptions>): Ranges<number> {
  const owners = Array.from({ length: blockCount }, (_, index) => `uid-${index}`);
  const speeds: Ranges<number[]> = { ipv4: [], ipv6: [] };
  for (let round = 0; round <= rounds; round++) {
    for (const name of ['ipv4', 'ipv6'] as const) {
      const set = new CidrSet(ranges[name]);
      const startMs = clock.monotonic();
      for (const owner of owners) set.allocate(owner);
      const perSecond = blockCount / ((clock.monotonic() - startMs) / 1_000);
      if (set.counts.bound !== blockCount) throw new Error('a block was not given out');
      if (round > 0) speeds[name].push(Math.round(perSecond));
    }
  }
  return { ipv4: median(speeds.ipv4), ipv6: median(speeds.ipv6) };
}

/** By how much the typed arrays of the process grow. The most of some tries: a collection can only lessen it. */
function bitmapKiBOf(options: CidrSetOptions): number {
  const kept: CidrSet[] = [];
  const tries = [1, 2, 3, 4, 5].map(() => {
    const before = process.memoryUsage().arrayBuffers;
    const set = new CidrSet(options);
    for (let index = 0; index < blockCount; index++) set.allocate(`uid-${index}`);
    kept.push(set);
    return process.memoryUsage().arrayBuffers - before;
  });
  return Math.max(...tries) / 1_024;
}

function readCidr(text: string): Cidr {
  const parsed = parseCidr(text);
  if (parsed.kind === 'invalid') throw new Error(`${text} ${parsed.reason}`);
  return parsed.cidr;
}
