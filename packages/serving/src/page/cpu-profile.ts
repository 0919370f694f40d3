/**
 * Serves `/debug/pprof/profile`, a CPU profile that V8 records and that Chrome's developer tools and `speedscope` can
 * open. Recording costs CPU, so there is one profile at a time, for a bounded time. There are no heap snapshots, because
 * they contain every token in memory.
 */
import { Session } from 'node:inspector/promises';
import { type Clock, sleep } from '@tandem/runtime';
import { type Reply, textReply } from '../http/reply.ts';

const secondsDefault = 30;
const secondsMax = 60;

export interface CpuProfiler {
  /** Records for as long as the query says, or until the signal aborts. */
  reply(query: URLSearchParams, signal: AbortSignal): Promise<Reply>;
}

export function createCpuProfiler(clock: Clock): CpuProfiler {
  let isBusy = false;
  return {
    async reply(query, signal) {
      const seconds = secondsIn(query);
      if (seconds === undefined) {
        return textReply(400, `seconds must be a whole number from 1 to ${secondsMax}\n`);
      }
      if (isBusy) return textReply(429, 'Another profile is being recorded; try again later\n');
      isBusy = true;
      try {
        return profileReply(await record(clock, seconds, signal));
      } finally {
        isBusy = false;
      }
    },
  };
}

async function record(clock: Clock, seconds: number, signal: AbortSignal): Promise<object> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
    // If the client has left, the recording ends early.
    await sleep(clock, seconds * 1_000, signal).catch(() => undefined);
    const { profile } = await session.post('Profiler.stop');
    return profile;
  } finally {
    session.disconnect();
  }
}

function profileReply(profile: object): Reply {
  return {
    status: 200,
    contentType: 'application/json',
    body: JSON.stringify(profile),
    headers: { 'content-disposition': 'attachment; filename="profile.cpuprofile"' },
  };
}

function secondsIn(query: URLSearchParams): number | undefined {
  const text = query.get('seconds');
  if (text === null) return secondsDefault;
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return seconds >= 1 && seconds <= secondsMax ? seconds : undefined;
}
