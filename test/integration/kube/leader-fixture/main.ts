/**
 * A leader as a process of its own, for tests that kill and pause it. It campaigns for a Lease and, while it leads,
 * writes to a ConfigMap or to routes without a break. With `work: 'never ends'` it also tries to write after it was
 * told to stop and after it lost the Lease, when only the gate prevents that. It reports events on standard output,
 * one JSON object a line. SIGTERM ends it in order, the end of standard input immediately.
 */
import {
  createLogger,
  createMetrics,
  sleep,
  systemClock,
  systemEnvironment,
  systemRandom,
} from '@tandem/runtime';
import { createKubeClient, type KubeClient } from '@tandem/kube/client';
import { loadCredentials } from '@tandem/kube/credentials';
import { Elector, NotLeadingError } from '@tandem/kube/election';
import { createTransport } from '@tandem/kube/transport';
import type { LeaderOptions, WrittenByLeader } from '../election-process.ts';
import { routeWriter } from './route-writer.ts';

const options: LeaderOptions = JSON.parse(process.argv[2] ?? '{}');
const clock = systemClock;

function say(event: string, facts: Readonly<Record<string, unknown>> = {}): void {
  process.stdout.write(`${JSON.stringify({ event, atMs: clock.now(), ...facts })}\n`);
}

const credentials = await loadCredentials({
  kubeconfig: options.kubeconfig,
  environment: systemEnvironment(),
  clock,
});
const metrics = createMetrics();

/** Each client has connections of its own, and the identity in the audit log. */
function connect(writeGate?: Elector['writeGate']): KubeClient {
  const transport = createTransport({ credentials, userAgent: options.identity });
  const gate = writeGate === undefined ? {} : { writeGate };
  return createKubeClient({ transport, clock, random: systemRandom, metrics, ...gate });
}

const elector = new Elector({
  client: connect(),
  clock,
  random: systemRandom,
  logger: createLogger({ clock, level: 'debug', destination: process.stderr }),
  metrics,
  identity: options.identity,
  lease: options.lease,
  timings: options.timings,
});

function writerOf(target: WrittenByLeader): (count: number) => Promise<void> {
  if (target.kind === 'configMap') {
    const { namespace, name } = target;
    return (count) => writeConfigMap({ namespace, name }, count);
  }
  const isGated = target.gate === 'election';
  const writeGate = isGated ? elector.writeGate : () => undefined;
  return routeWriter({ clock, metrics, record: target.record, writeGate, say });
}

const gated = connect(elector.writeGate);

async function writeConfigMap(
  configMap: { readonly namespace: string; readonly name: string },
  count: number,
): Promise<void> {
  try {
    await gated.call({
      verb: 'patch',
      resource: { group: '', version: 'v1', resource: 'configmaps', ...configMap },
      contentType: 'application/merge-patch+json',
      body: { data: { [options.identity]: String(count) } },
      limitMs: elector.writeLimitMs,
      retries: false,
    });
    say('wrote', { count });
  } catch (err) {
    const refused = err instanceof NotLeadingError || rootOf(err) instanceof NotLeadingError;
    say(refused ? 'refused' : 'failed', { count, message: String(err) });
  }
}

function rootOf(err: unknown): unknown {
  return err instanceof Error && err.cause !== undefined ? rootOf(err.cause) : err;
}

/** Writes until the leader is told to stop; work that never ends ignores that. */
async function writeOnAndOn(leading: AbortSignal): Promise<void> {
  const write = writerOf(options.writesTo);
  for (let count = 1; options.work === 'never ends' || !leading.aborted; count++) {
    await write(count);
    // While it may write it does so without a pause, so that after a stop the next write follows
    // from the last one's answer, before any timer of the elector's has had its turn.
    if (elector.writeGate() !== undefined) await sleep(clock, writePauseMs);
  }
}

const writePauseMs = 20;

/** Enough for many more tries. */
const afterwardsMs = 1_000;

const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
process.stdin.resume();
process.stdin.on('end', () => process.exit(1));

const end = await elector.run(stop.signal, {
  onStartedLeading: async (leading) => {
    say('leading');
    await writeOnAndOn(leading);
  },
  onStoppedLeading: () => say('stopped'),
  onNewLeader: (identity) => say('leader', { identity }),
});
say('ended', { end });
if (end === 'lost') await sleep(clock, afterwardsMs);
process.exit(0);
