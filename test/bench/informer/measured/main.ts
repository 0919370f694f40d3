/**
 * The program that the bench measures: an informer of nodes on the real transport, and little else, bundled like the
 * manager. Its arguments are what to do (`raw`, `sync`, `kept` or `follow`), the encoding, and a kubeconfig. It begins
 * with the first line on standard input, and writes each result as a line of JSON to standard output.
 */
import { createInterface } from 'node:readline';
import { createKubeClient, type KubeClient } from '@tandem/kube/client';
import { acceptHeader, type Encoding } from '@tandem/kube/codec';
import { createNodeReader, type NodeProjection } from '@tandem/kube/node';
import { loadCredentials } from '@tandem/kube/credentials';
import { Informer } from '@tandem/kube/informer';
import { createTransport, type KubeTransport } from '@tandem/kube/transport';
import { createLogger, createMetrics, systemClock, systemRandom } from '@tandem/runtime';
import { processUsage } from '../../../support/process-usage.ts';

const [, , what = '', encodingArgument = '', kubeconfig = ''] = process.argv;
const encoding: Encoding = encodingArgument === 'json' ? 'json' : 'protobuf';
const metrics = createMetrics();
const credentials = await loadCredentials({ kubeconfig, environment: {}, clock: systemClock });
const dial = (): KubeTransport => createTransport({ credentials, userAgent: 'measured' });

/** Marks the bookmark that ends a streaming list, in both encodings. */
const endMark = 'k8s.io/initial-events-end';

/** The current transport. While it is cut, requests wait. */
let line: KubeTransport = dial();
let mended: Promise<void> = Promise.resolve();
const client: KubeClient = createKubeClient({
  transport: {
    async send(request) {
      await mended;
      return line.send(request);
    },
    close: () => line.close(),
  },
  clock: systemClock,
  random: systemRandom,
  metrics,
});

const orders = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
await orders.next();
switch (what) {
  case 'raw':
    say(await readRaw());
    break;
  case 'sync':
    say(await sync(createInformer()));
    break;
  case 'kept':
    say(await measureKept());
    break;
  case 'follow':
    await follow();
    break;
  default:
    throw new Error(`unknown: ${what}`);
}
process.exit(0);

/** Reads the same bytes, and only searches them for the end of the list. */
async function readRaw(): Promise<object> {
  const measure = start();
  let bytes = 0;
  let tail = Buffer.alloc(0);
  const { body } = await client.open({
    resource: { group: '', version: 'v1', resource: 'nodes' },
    query: {
      watch: '1',
      allowWatchBookmarks: 'true',
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      timeoutSeconds: '300',
    },
    accept: acceptHeader('watch', encoding),
    signal: new AbortController().signal,
  });
  for await (const chunk of body) {
    const seen = Buffer.from(chunk);
    bytes += seen.length;
    const isEnd =
      seen.includes(endMark) || Buffer.concat([tail, seen.subarray(0, 64)]).includes(endMark);
    if (isEnd) break;
    tail = Buffer.from(seen.subarray(-64));
  }
  return { ...(await measure()), bytes };
}

function createInformer(
  selectors: Readonly<Record<string, string>> = {},
): Informer<NodeProjection> {
  return new Informer({
    client,
    clock: systemClock,
    random: systemRandom,
    logger: createLogger({ clock: systemClock, level: 'warn', destination: process.stderr }),
    metrics,
    resource: { group: '', version: 'v1', resource: 'nodes' },
    selectors,
    reader: createNodeReader(),
    encoding,
    // The bench delays requests while it updates nodes, and then needs the events.
    limits: { resumeWithinMs: 600_000, answerMs: 600_000 },
  });
}

/** From the request until the informer has reported every node. */
async function sync(informer: Informer<NodeProjection>): Promise<Measured> {
  const { signal } = new AbortController();
  const measure = start();
  void informer.run(signal);
  await informer.whenSynced(signal);
  return measure();
}

/**
 * The heap of the nodes after a garbage collection. An informer of a single node runs first, so that code which is
 * compiled when it first runs does not count.
 */
async function measureKept(): Promise<object> {
  await sync(createInformer({ fieldSelector: 'metadata.name=node-00000' }));
  const startBytes = heapBytes();
  const informer = createInformer();
  const measured = await sync(informer);
  return { ...measured, bytesPerNode: (heapBytes() - startBytes) / informer.facts.objects };
}

/**
 * Obeys orders and answers each: `cut` and `mend` the connection, `measure` from now on, and wait `until VERSION`. Each
 * answer has the current measurement.
 */
async function follow(): Promise<void> {
  const informer = createInformer();
  say(await sync(informer));
  let told = 0;
  informer.subscribe(() => {
    told += 1;
  });
  let mend = (): void => {};
  let measure = start();
  let lists = 0;
  for (let order = await orders.next(); order.done !== true; order = await orders.next()) {
    const [verb = '', version = ''] = order.value.split(' ');
    if (verb === 'cut') {
      mended = new Promise((resolve) => {
        mend = resolve;
      });
      await line.close();
      line = dial();
    } else if (verb === 'measure') {
      told = 0;
      lists = await listCount();
      measure = start();
    } else if (verb === 'mend') mend();
    else if (verb === 'until') await untilVersion(informer, version);
    const measured = await measure();
    say({ ...measured, told, relists: (await listCount()) - lists });
  }
}

async function untilVersion(informer: Informer<NodeProjection>, version: string): Promise<void> {
  const isThere = (): boolean => Number(informer.facts.resourceVersion) >= Number(version);
  while (!isThere()) {
    await new Promise<void>((resolve) => {
      systemClock.after(1, resolve);
    });
  }
}

async function listCount(): Promise<number> {
  const text = await metrics.render();
  return Number(/^tandem_informer_lists_total\{.*\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

interface Measured {
  readonly ms: number;
  readonly cpuMs: number;
  readonly peakMB: number;
}

/** Time and processor time from now on, and the peak memory of the process. */
function start(): () => Promise<Measured> {
  const startMs = systemClock.monotonic();
  const startCpu = process.cpuUsage();
  return async () => {
    const { user, system } = process.cpuUsage(startCpu);
    const ms = systemClock.monotonic() - startMs;
    const { peakBytes } = await processUsage(process.pid);
    return { ms, cpuMs: (user + system) / 1000, peakMB: peakBytes / 1e6 };
  };
}

function heapBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function say(result: object): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
