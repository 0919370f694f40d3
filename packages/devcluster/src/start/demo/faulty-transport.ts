/**
 * A way to the API server on which things go wrong, as often as a seed has it: refusals for want of room,
 * connections that break before a request arrives or after it had its effect, answers that take their
 * time. Each kind draws from a stream of its own.
 */
import {
  type KubeTransport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '@tandem/kube/transport';
import { type Clock, type Random, sleep } from '@tandem/runtime';

/** The share of requests that each befalls. */
const rates = { slow: 0.1, busy: 0.05, unsent: 0.05, unanswered: 0.05 } as const;
type Kind = keyof typeof rates;

const slowMsMax = 400;

export class FaultyTransport implements KubeTransport {
  readonly #inner: KubeTransport;
  readonly #clock: Clock;
  readonly #streams: Readonly<Record<Kind, Random>>;

  constructor(inner: KubeTransport, ports: { readonly clock: Clock; readonly random: Random }) {
    this.#inner = inner;
    this.#clock = ports.clock;
    const { random } = ports;
    this.#streams = {
      slow: random.fork('slow'),
      busy: random.fork('busy'),
      unsent: random.fork('unsent'),
      unanswered: random.fork('unanswered'),
    };
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const drawn = this.#draw();
    if (drawn.has('slow')) {
      await sleep(this.#clock, this.#streams.slow.next() * slowMsMax, request.signal);
    }
    if (drawn.has('unsent')) throw broken('none');
    if (drawn.has('busy')) return busy();
    const answer = await this.#inner.send(request);
    if (!drawn.has('unanswered')) return answer;
    // A watch that is given up here would run on behind our back.
    await drain(answer, request);
    throw broken('unknown');
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #draw(): ReadonlySet<Kind> {
    return new Set(kinds.filter((kind) => this.#streams[kind].next() < rates[kind]));
  }
}

const kinds: readonly Kind[] = ['slow', 'busy', 'unsent', 'unanswered'];

async function drain({ body }: TransportResponse, { path }: TransportRequest): Promise<void> {
  const chunks = body[Symbol.asyncIterator]();
  if (/[?&]watch=/.test(path)) {
    await chunks.return?.();
    return;
  }
  for (let next = await chunks.next(); next.done !== true;) next = await chunks.next();
}

function broken(effect: 'none' | 'unknown'): TransportError {
  return new TransportError('The connection broke (simulated fault)', {
    code: 'ConnectionLost',
    retry: 'backoff',
    effect,
  });
}

function busy(): TransportResponse {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 429 };
  const body = {
    ...status,
    reason: 'TooManyRequests',
    message: 'too many requests (simulated fault)',
  };
  return {
    status: 429,
    headers: { 'content-type': 'application/json', 'retry-after': '1' },
    body: oneChunk(JSON.stringify(body)),
  };
}

async function* oneChunk(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
