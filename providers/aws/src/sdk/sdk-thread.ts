/**
 * Runs the SDK in a thread of its own. The SDK parses a page of 200 instances in one go, in 40 to 150 ms, and what it
 * parses is many times larger than what Tandem uses of it. In another thread this neither delays the controllers and
 * the renewal of the Lease, nor makes their heap grow. A thread that ends is replaced when the next call comes; the
 * calls that it had not answered fail like calls that EC2 does not answer.
 */
import { MessageChannel, Worker } from 'node:worker_threads';
import { AWSError } from '../failure.ts';
import type { Action, Input, Output } from './actions.ts';
import type { EC2Connection, OnDate } from './connection.ts';
import type { ClientOptions } from './ec2-client.ts';
import type { FromThread, Reply, ToThread } from './messages.ts';
import { EC2Refusal } from './refusal.ts';

/** Far more than the largest answers take, such as 100 route tables with 1,000 routes each. */
const heapMbMax = 512;

export class SDKThread implements EC2Connection {
  readonly #client: ClientOptions;
  readonly #onDate: OnDate;
  #worker: Worker | undefined;

  private constructor(client: ClientOptions, onDate: OnDate) {
    this.#client = client;
    this.#onDate = onDate;
  }

  /** Rejects if the SDK cannot use the options. */
  static async open(client: ClientOptions, onDate: OnDate): Promise<SDKThread> {
    const thread = new SDKThread(client, onDate);
    await new Promise<void>((resolve, reject) => {
      thread.#worker = thread.#start().on('message', (message: FromThread) => {
        if (message.kind === 'opened') resolve();
        if (message.kind === 'notOpened') {
          reject(new AWSError('AWSConfigInvalid', message.message, { retry: 'never' }));
        }
      });
      thread.#worker.once('error', reject);
    });
    return thread;
  }

  call<A extends Action>(action: A, input: Input<A>, signal: AbortSignal): Promise<Output<A>> {
    return this.#ask({ kind: 'call', action, input }, signal);
  }

  renewCredentials(signal: AbortSignal): Promise<void> {
    return this.#ask({ kind: 'renewCredentials' }, signal);
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  async #ask<T>(request: ToThread['request'], signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const { port1: port, port2: replyTo } = new MessageChannel();
    const abort = (): void => port.close();
    signal.addEventListener('abort', abort, { once: true });
    const answered = new Promise<T>((resolve, reject) => {
      port.once('message', (reply: Reply<T>) => {
        if (reply.kind === 'answer') resolve(reply.output);
        else reject(new EC2Refusal(reply.facts));
      });
      port.once('close', () => reject(signal.aborted ? signal.reason : threadEnded()));
    });
    this.#worker ??= this.#start();
    const message: ToThread = { request, replyTo };
    this.#worker.postMessage(message, [replyTo]);
    try {
      return await answered;
    } finally {
      signal.removeEventListener('abort', abort);
      port.close();
    }
  }

  #start(): Worker {
    const worker = new Worker(mainUrl(), {
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
    });
    // The thread alone does not keep the program running.
    worker.unref();
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'date') this.#onDate(message.date, message.tookMs);
    });
    // The calls that the thread had not answered tell of its end.
    worker.on('error', () => {});
    worker.once('exit', () => {
      this.#worker = undefined;
    });
    worker.postMessage({ ...this.#client, environment: { ...this.#client.environment } });
    return worker;
  }
}

/** In the bundle this module is in `chunks/`, and that of the thread beside this folder (tools/build). */
function mainUrl(): URL {
  const isSource = import.meta.url.endsWith('.ts');
  return new URL(isSource ? './main.ts' : '../aws-sdk-thread.js', import.meta.url);
}

function threadEnded(): EC2Refusal {
  const message = 'the thread of the SDK ended before EC2 answered';
  return new EC2Refusal({ ec2Code: 'ThreadEnded', message, httpStatus: undefined });
}
