/**
 * Runs the SDK in a thread of its own. The SDK parses a page of 200 instances in one go, in 40 to 150 ms, and what it
 * parses is many times larger than what Tandem uses of it. In another thread this neither delays the controllers and
 * the renewal of the Lease, nor makes their heap grow. A thread that ends is replaced when the next call comes; the
 * calls that it had not answered fail like calls that EC2 does not answer. A call that its caller has given up is
 * never sent, however late the thread gets to it.
 */
import { MessageChannel, Worker } from 'node:worker_threads';
import { errorCodeOf } from '@tandem/runtime';
import { AWSError } from '../failure.ts';
import type { Action, Input, Output } from './actions.ts';
import type { CallOptions, EC2Connection, OnDate } from './connection.ts';
import type { ClientOptions } from './ec2-client.ts';
import { aFlag, type Opening, type Reply, setFlag, type ToThread } from './messages.ts';
import { EC2Refusal } from './refusal.ts';

/**
 * Several times what the largest answers take, such as 25 route tables with 1,000 routes each, and less than the pod
 * has. Node.js keeps to it as well as it can.
 */
const heapMbMax = 192;

export class SDKThread implements EC2Connection {
  readonly #client: ClientOptions;
  readonly #onDate: OnDate;
  #worker: Worker | undefined;
  #isClosed = false;
  /** Why the last thread ended, as far as it is known. */
  #lastEnd = '';

  private constructor(client: ClientOptions, onDate: OnDate) {
    this.#client = client;
    this.#onDate = onDate;
  }

  /** Rejects if the SDK cannot use the options. */
  static async open(client: ClientOptions, onDate: OnDate): Promise<SDKThread> {
    const thread = new SDKThread(client, onDate);
    const worker = (thread.#worker = thread.#start());
    await new Promise<void>((resolve, reject) => {
      worker.once('message', (opening: Opening) => {
        if (opening.kind === 'opened') resolve();
        else reject(new AWSError('AWSConfigInvalid', opening.message, { retry: 'never' }));
      });
      worker.once('error', reject);
      worker.once('exit', () => reject(thread.#threadEnded()));
    });
    // The thread alone does not keep the program running.
    worker.unref();
    return thread;
  }

  call<A extends Action>(action: A, input: Input<A>, { signal }: CallOptions): Promise<Output<A>> {
    return this.#ask({ kind: 'call', action, input }, signal);
  }

  renewCredentials(signal: AbortSignal): Promise<void> {
    return this.#ask({ kind: 'renewCredentials' }, signal);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  async #ask<T>(request: ToThread['request'], signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.#isClosed) throw this.#threadEnded();
    const worker = (this.#worker ??= this.#start());
    const { port1: port, port2: replyTo } = new MessageChannel();
    const abandoned = aFlag();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const abort = (): void => {
      setFlag(abandoned);
      reject(signal.reason);
    };
    // Not the end of the channel, which comes before the reason and before the next call gets another thread.
    const end = (): void => reject(this.#threadEnded());
    try {
      const message: ToThread = { request, replyTo, abandoned };
      worker.postMessage(message, [replyTo]);
      signal.addEventListener('abort', abort, { once: true });
      worker.once('exit', end);
      port.once('message', (reply: Reply<T>) => {
        if (reply.date !== undefined) this.#onDate(reply.date.text, reply.date.tookMs);
        if (reply.kind === 'answer') resolve(reply.output);
        else reject(new EC2Refusal(reply.facts));
      });
      return await promise;
    } finally {
      signal.removeEventListener('abort', abort);
      worker.off('exit', end);
      port.close();
    }
  }

  #start(): Worker {
    const worker = new Worker(mainUrl(), {
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
    });
    this.#lastEnd = '';
    // Each call waits for its end.
    worker.setMaxListeners(0);
    worker.on('error', (err) => {
      // Not the message, which may quote what was sent.
      this.#lastEnd = errorCodeOf(err) ?? 'an error';
    });
    worker.once('exit', () => {
      this.#worker = undefined;
    });
    worker.postMessage({ ...this.#client, environment: { ...this.#client.environment } });
    return worker;
  }

  #threadEnded(): EC2Refusal {
    const why = this.#lastEnd === '' ? '' : ` (${this.#lastEnd})`;
    const message = `the thread of the SDK ended before EC2 answered${why}`;
    return new EC2Refusal({ ec2Code: 'ThreadEnded', message, httpStatus: undefined });
  }
}

/** In the bundle this module is in `chunks/`, and that of the thread beside this folder (tools/build). */
function mainUrl(): URL {
  const isSource = import.meta.url.endsWith('.ts');
  return new URL(isSource ? './main.ts' : '../aws-sdk-thread.js', import.meta.url);
}
