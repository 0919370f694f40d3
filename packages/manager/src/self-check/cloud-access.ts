/**
 * Says when the program starts whether the cloud lets it in, where the provider can tell: otherwise bad
 * credentials show with the first look-up, which on a quiet cluster is minutes away, or with the first
 * new node. It never ends the program: rights may be granted, and tokens renewed, while it runs. So it
 * asks again until it is let in, and says that too.
 */
import type { Provider } from '@tandem/provider/plug';
import { type Clock, type Logger, type Metrics, sleep, withDeadline } from '@tandem/runtime';
import { selfCheckMetrics } from './self-check-metrics.ts';

export interface CloudAccessOptions {
  readonly provider: Pick<Provider, 'name' | 'checkAccess'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Aborts when the program is to end. */
  readonly signal: AbortSignal;
}

/** A cloud's slowest login, and a way to it that takes its time. */
const checkMsMax = 30_000;
const againMs = 60_000;

/** Resolves once the cloud has let us in, or when there is no way to ask. Never rejects. */
export async function checkCloudAccess(options: CloudAccessOptions): Promise<void> {
  const { provider, clock, signal } = options;
  if (provider.checkAccess === undefined) return;
  const logger = options.logger.child({ component: 'self-check', provider: provider.name });
  const metrics = selfCheckMetrics(options.metrics);
  let told: string | undefined;
  while (!signal.aborted) {
    const failure = await tryAccess(options);
    if (signal.aborted) return;
    if (failure === undefined) {
      metrics.access('granted');
      if (told !== undefined) logger.info({}, 'Cloud accepted the credentials');
      return;
    }
    metrics.access(failure.result);
    const { result, err } = failure;
    // Once for each thing that is wrong; the metric shows that it still is.
    if (told !== result) tell(logger, failure.result, err);
    told = result;
    await sleep(clock, againMs, signal).catch(() => undefined);
  }
}

interface Failure {
  readonly result: 'refused' | 'unknown';
  readonly err: unknown;
}

async function tryAccess(options: CloudAccessOptions): Promise<Failure | undefined> {
  const { provider, clock, signal } = options;
  try {
    const limit = { clock, limitMs: checkMsMax, signal };
    await withDeadline(limit, async (within) => provider.checkAccess?.({ signal: within }));
    return undefined;
  } catch (err) {
    const isRefusal =
      typeof err === 'object' && err !== null && Reflect.get(err, 'retry') === 'never';
    return { result: isRefusal ? 'refused' : 'unknown', err };
  }
}

function tell(logger: Logger, result: Failure['result'], err: unknown): void {
  if (result === 'refused') logger.error({ err, ...refusal }, 'Cloud refused the credentials');
  else logger.warn({ err, fix: fixOf(err) }, 'Could not check the cloud credentials');
}

const refusal = {
  consequence:
    'The manager does not initialise, update or delete nodes until the cloud accepts the credentials',
  fix: 'Correct what the message names: the credentials of the provider, their permissions, or the clock of this machine. The manager tries again every minute',
};

function fixOf(err: unknown): string {
  const isToWait =
    typeof err === 'object' && err !== null && typeof Reflect.get(err, 'retry') === 'object';
  return isToWait
    ? 'None: the cloud asks to be asked later. The manager tries again every minute'
    : 'Check the connection to the cloud and the status of the cloud. The manager tries again every minute';
}
