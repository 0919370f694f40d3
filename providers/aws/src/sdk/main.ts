/** The SDK's thread: opens a connection to EC2 with the options of its first message, and answers requests. */
import { parentPort } from 'node:worker_threads';
import { systemClock } from '@tandem/runtime';
import type { Action, Output } from './actions.ts';
import { connect, type EC2Connection } from './connection.ts';
import type { ClientOptions } from './ec2-client.ts';
import { isFlagSet, type Opening, type Reply, type ToThread } from './messages.ts';
import { refusalOf } from './refusal.ts';

let date: Reply<never>['date'];

parentPort?.once('message', (options: ClientOptions) => open(options));

function open(options: ClientOptions): void {
  try {
    const connection = connect(options, systemClock, (text, tookMs) => {
      date = { text, tookMs };
    });
    parentPort?.on('message', (message: ToThread) => void answer(connection, message));
    send({ kind: 'opened' });
  } catch (err) {
    send({ kind: 'notOpened', message: err instanceof Error ? err.message : String(err) });
  }
}

async function answer(
  connection: EC2Connection,
  { request, replyTo, abandoned }: ToThread,
): Promise<void> {
  const controller = new AbortController();
  replyTo.once('close', () => controller.abort());
  const { signal } = controller;
  const isWanted = (): boolean => !isFlagSet(abandoned);
  const reply = (message: Reply<Output<Action>>): void => replyTo.postMessage(message);
  try {
    const output =
      request.kind === 'call'
        ? await connection.call(request.action, request.input, { signal, isWanted })
        : await connection.renewCredentials(signal);
    reply({ kind: 'answer', output, date });
  } catch (err) {
    const { ec2Code, message, httpStatus } = refusalOf(err);
    reply({ kind: 'refusal', facts: { ec2Code, message, httpStatus }, date });
  }
}

function send(message: Opening): void {
  parentPort?.postMessage(message);
}
