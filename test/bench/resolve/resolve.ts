/**
 * How fast node addresses are resolved: in the library; what a hostile input costs; and end to end through the built `kubectl-nodeip explain --batch`, into
 * nothing, into a file and through a pipe, with the memory that a short and a long input take.
 */
import {
  explainAddresses,
  type NodeAddress,
  readAddresses,
  resolveAddresses,
} from '@tandem/core/node-address';
import type { Clock } from '@tandem/runtime';
import { median } from '../median.ts';
import type { BenchPorts, Report } from '../report.ts';
import { batchLinesPerSecond, batchPeakMiB, type BatchSink, batchSinks } from './batch.ts';
import { hostileQuestions } from './hostile.ts';

const batchLines = 100_000;

export async function benchResolve({ clock, say }: BenchPorts): Promise<Report> {
  say('resolving in the library, about 3 s');
  const resolutions = resolutionsPerSecond(clock);
  const hostile = hostileMicroseconds(clock);
  say(`explain --batch on ${batchLines} lines, five times into each sink, then its memory; 40 s`);
  const speeds = await batchSpeeds(clock);
  const shortPeakMiB = await batchPeakMiB(batchLines);
  const longPeakMiB = await batchPeakMiB(4 * batchLines);
  return {
    name: 'resolve',
    figures: {
      resolutionsPerSecondOf4Addresses: resolutions,
      hostileInputMicrosecondsP999: hostile,
      batchLinesPerSecondMedianIntoNull: median(speeds.null),
      batchLinesPerSecondMedianIntoFile: median(speeds.file),
      batchLinesPerSecondMedianIntoPipe: median(speeds.pipe),
      batchLinesPerSecondMedianOfWorst: Math.min(...Object.values(speeds).map(median)),
      batchPeakMiB: shortPeakMiB,
      batchPeakRatioOfFourfoldInput: longPeakMiB / shortPeakMiB,
    },
    targets: {
      resolutionsPerSecondOf4Addresses: { atLeast: 200_000 },
      hostileInputMicrosecondsP999: { atMost: 1000 },
      batchLinesPerSecondMedianOfWorst: { atLeast: 50_000 },
      batchPeakRatioOfFourfoldInput: { atMost: 1.25 },
    },
  };
}

/** The sinks take turns, so that a busy spell of the machine falls on all of them. */
async function batchSpeeds(clock: Clock): Promise<Record<BatchSink, number[]>> {
  const speeds: Record<BatchSink, number[]> = { null: [], file: [], pipe: [] };
  for (let run = 0; run < 5; run++) {
    for (const sink of batchSinks) {
      speeds[sink].push(await batchLinesPerSecond(clock, { lines: batchLines, sink }));
    }
  }
  return speeds;
}

const requests = [
  'IPv4',
  'IPv6',
  'IPv4,IPv6',
  'IPv6,10.0.0.1',
  '10.0.0.1',
  '10.0.0.1,2001:db8::2',
  null,
];
const rules = { exclusions: [], gates: { CloudNodeIPs: true } };

/** From the cloud's texts to the result, parsing included, over requests of every kind. */
function resolutionsPerSecond(clock: Clock): number {
  const round = (count: number): void => {
    for (let index = 0; index < count; index++) {
      const request = requests[index % requests.length] ?? null;
      resolveAddresses({ ...rules, cloud: readAddresses(cloud), request });
    }
  };
  const count = 400_000;
  round(count / 4);
  const startMs = clock.monotonic();
  round(count);
  return Math.round(count / ((clock.monotonic() - startMs) / 1000));
}

const cloud: readonly NodeAddress[] = [
  { type: 'InternalIP', address: '10.0.0.1' },
  { type: 'InternalIP', address: '2001:db8::2' },
  { type: 'InternalIP', address: '10.0.0.3' },
  { type: 'ExternalIP', address: '2001:db8::4' },
];

/**
 * The 99.9th percentile over what it costs to resolve and explain single inputs. Each is asked three times in a row and the
 * least counts: a collection, or another process on a shared machine, is not the input's doing.
 */
function hostileMicroseconds(clock: Clock): number {
  const questions = hostileQuestions();
  const costsUs: number[] = [];
  for (let round = 0; round < 400; round++) {
    for (const { cloud: given, request } of questions) {
      const triesUs = [1, 2, 3].map(() => {
        const startMs = clock.monotonic();
        explainAddresses({
          ...rules,
          cloud: readAddresses(given),
          request: { value: request, source: 'a node' },
        });
        return (clock.monotonic() - startMs) * 1000;
      });
      costsUs.push(Math.min(...triesUs));
    }
  }
  costsUs.sort((a, b) => a - b);
  return Math.round(costsUs[Math.floor(costsUs.length * 0.999)] ?? Number.NaN);
}
