/** The SDK's thread: opens a connection to EC2 with the options of its first message, and answers requests. */
import { parentPort } from 'node:worker_threads';
import { systemClock } from '@tandem/runtime';
import type { Action, Output } from './actions.ts';
import { connect, type EC2Connection, type OnDate } from './connection.ts';
import type { ClientOptions } from './ec2-client.ts';
import type { FromThread, Reply, ToThread } from './messages.ts';
import { refusalOf } from './refusal.ts';

parentPort?.once('message', (options: ClientOptions) => open(options));

function open(options: ClientOptions): void {
  try {
    const onDate: OnDate = (date, tookMs) => send({ kind: 'date', date, tookMs });
    const connection = connect(options, systemClock, onDate);
    parentPort?.on('message', (message: ToThread) => void answer(connection, message));
    send({ kind: 'opened' });
  } catch (err) {
    send({ kind: 'notOpened', message: err instanceof Error ? err.message : String(err) });
  }
}

async function answer(connection: EC2Connection, { request, replyTo }: ToThread): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  replyTo.once('close', () => controller.abort());
  const reply = (message: Reply<Output<Action>>): void => replyTo.postMessage(message);
  try {
    const output =
      request.kind === 'call'
        ? await connection.call(request.action, request.input, signal)
        : await connection.renewCredentials(signal);
    reply({ kind: 'answer', output });
  } catch (err) {
    const { ec2Code, message, httpStatus } = refusalOf(err);
    reply({ kind: 'refusal', facts: { ec2Code, message, httpStatus } });
  }
}

function send(message: FromThread): void {
  parentPort?.postMessage(message);
}
