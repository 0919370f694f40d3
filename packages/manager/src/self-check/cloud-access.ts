/**
 * Logs at startup whether the cloud accepts the credentials of the provider, if the provider can check that. Otherwise
 * bad credentials would show only at the first look-up, which on a quiet cluster is minutes away. A failure never ends
 * the program, because permissions may be granted while it runs: it checks again until access is granted, and logs that.
 */
import type { AccessGap, Provider } from '@tandem/provider/plug';
import {
  type Clock,
  fieldOf,
  type Logger,
  type MetricDeclaration,
  type Metrics,
  sleep,
  withDeadline,
} from '@tandem/runtime';

export const cloudAccess: MetricDeclaration<'result'> = {
  name: 'tandem_cloud_access',
  help:
    'Whether the cloud accepts the credentials of the provider, as last checked: 1 for the current ' +
    'result. Incomplete if lookups work and something else does not. Checked at startup and, until ' +
    'access is granted, every minute. Not set for providers that cannot check access.',
  stability: 'ALPHA',
  labels: ['result'],
};

interface CloudAccessOptions {
  readonly provider: Pick<Provider, 'name' | 'checkAccess'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Counts the nodes that need routes; returns undefined until that is known. Undefined if none need routes. */
  readonly countRoutedNodes?: (() => number | undefined) | undefined;
  /** Aborts when the program has to end. */
  readonly signal: AbortSignal;
}

const accessResults = ['granted', 'incomplete', 'refused', 'unknown'] as const;

/** The limit of one check, enough for a slow login over a slow connection. */
const checkMsMax = 30_000;
const againMs = 60_000;

/** How long the first check waits for the list of nodes if nodes need routes. */
const nodesMsMax = 10_000;
const nodesAgainMs = 500;

/** Resolves once access is granted, or if the provider cannot check it. Never rejects. */
export async function checkCloudAccess(options: CloudAccessOptions): Promise<void> {
  const { provider, clock, signal } = options;
  const gauge = options.metrics.gauge(cloudAccess);
  if (provider.checkAccess === undefined) return;
  const logger = options.logger.child({ component: 'self-check', provider: provider.name });
  await waitForNodes(options);
  let told: readonly string[] = [];
  while (!signal.aborted) {
    const findings = await tryAccess(options);
    if (signal.aborted) return;
    const [{ result } = { result: 'granted' }] = findings;
    for (const each of accessResults) gauge.set({ result: each }, each === result ? 1 : 0);
    if (findings.length === 0) {
      if (told.length > 0) logger.info({}, 'Cloud gives the access that the manager needs');
      return;
    }
    // Each problem is logged once. The metric shows that it lasts.
    for (const finding of findings) if (!told.includes(keyOf(finding))) tell(logger, finding);
    told = findings.map(keyOf);
    await sleep(clock, againMs, signal).catch(() => undefined);
  }
}

async function waitForNodes({
  countRoutedNodes,
  clock,
  signal,
}: CloudAccessOptions): Promise<void> {
  const untilMs = clock.monotonic() + nodesMsMax;
  if (countRoutedNodes === undefined) return;
  while (countRoutedNodes() === undefined) {
    if (signal.aborted || clock.monotonic() >= untilMs) return;
    await sleep(clock, nodesAgainMs, signal).catch(() => undefined);
  }
}

/** A failure of the whole check, or one gap. */
type AccessFinding =
  | { readonly result: 'refused' | 'unknown'; readonly err: unknown }
  | (AccessGap & { readonly result: 'incomplete' });

async function tryAccess(options: CloudAccessOptions): Promise<readonly AccessFinding[]> {
  const { provider, clock, signal } = options;
  const routedNodes = options.countRoutedNodes?.();
  try {
    const limit = { clock, limitMs: checkMsMax, signal };
    const gaps = await withDeadline(limit, async (within) =>
      provider.checkAccess?.({
        signal: within,
        ...(routedNodes !== undefined && { routedNodes }),
      }),
    );
    return (gaps ?? []).map(({ err, consequence }) => ({ result: 'incomplete', err, consequence }));
  } catch (err) {
    const isRefusal = fieldOf(err, 'retry') === 'never';
    return [{ result: isRefusal ? 'refused' : 'unknown', err }];
  }
}

/** Returns the key by which findings are logged once: one for all failures of the check, and one for each gap. */
function keyOf(finding: AccessFinding): string {
  return finding.result === 'incomplete' ? finding.consequence : finding.result;
}

function tell(logger: Logger, finding: AccessFinding): void {
  const { err, result } = finding;
  switch (result) {
    case 'refused':
      logger.error({ err, ...refusal }, 'Cloud refused the credentials');
      return;
    case 'incomplete':
      logger.warn(
        { err, consequence: finding.consequence, fix: again },
        'Cloud access is incomplete',
      );
      return;
    case 'unknown':
      logger.warn({ err, fix: fixOf(err) }, 'Could not check the cloud credentials');
  }
}

const again = 'The manager checks again every minute, and says so when nothing is missing';

const refusal = {
  consequence:
    'The manager does not initialise, update or delete nodes until the cloud accepts the credentials',
  fix: 'Correct what the message names: the credentials of the provider, their permissions, or the clock of this machine. The manager tries again every minute',
};

function fixOf(err: unknown): string {
  const isToWait = typeof fieldOf(err, 'retry') === 'object';
  return isToWait
    ? 'None: the cloud asks to be asked later. The manager tries again every minute'
    : 'Check the connection to the cloud and the status of the cloud. The manager tries again every minute';
}
