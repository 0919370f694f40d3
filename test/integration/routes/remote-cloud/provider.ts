/**
 * The provider of a cloud in the process of the test, which outlives managers as real clouds do. Every change is one
 * request, before which the provider calls the write gate.
 */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Provider, ProviderContext, RouteOutcome } from '@tandem/provider/plug';
import type {
  CloudAddress,
  CloudQuestion,
  CloudReply,
  WireError,
  WireOutcome,
} from '../cloud-wire.ts';

export async function createProvider(context: ProviderContext): Promise<Provider> {
  const { clock, configPath = '' } = context;
  const { url, families, deadlineMs }: CloudAddress = JSON.parse(readFileSync(configPath, 'utf8'));
  const often = { callsPerSecond: 1_000, burst: 1_000, deadlineMs };
  return {
    name: 'remote',
    limits: often,
    identify: (providerID) =>
      providerID.startsWith('simulated://') ? providerID.split('/').at(-1) : undefined,
    async lookup(nodes, { maxAgeMs, signal }) {
      const asOfMs = clock.monotonic();
      const reply = await ask(url, { kind: 'lookup', nodes, maxAgeMs }, signal);
      if (reply.kind !== 'looked up') throw errorOf(reply);
      return new Map(
        reply.answers.map(([name, answer]) => [
          name,
          'asOfMs' in answer ? { ...answer, asOfMs } : answer,
        ]),
      );
    },
    routes: {
      families,
      limits: { ...often, batchSize: 10, concurrency: 2 },
      async list({ signal }) {
        const asOfMs = clock.monotonic();
        const reply = await ask(url, { kind: 'list' }, signal);
        if (reply.kind !== 'listed') throw errorOf(reply);
        return { asOfMs, tables: reply.tables };
      },
      async apply(operations, { signal, beforeWrite }) {
        const outcomes: RouteOutcome[] = [];
        for (const operation of operations) {
          beforeWrite();
          const reply = await ask(url, { kind: 'change', operation }, signal);
          if (reply.kind !== 'changed') throw errorOf(reply);
          outcomes.push(outcomeOf(reply.outcome));
        }
        return outcomes;
      },
    },
  };
}

async function ask(url: string, question: CloudQuestion, signal: AbortSignal): Promise<CloudReply> {
  const answer = await new Promise<string>((resolve, reject) => {
    const asked = request(url, { method: 'POST', signal }, (response) => {
      text(response).then(resolve, reject);
    });
    asked.once('error', reject);
    asked.end(JSON.stringify(question));
  });
  return JSON.parse(answer);
}

function outcomeOf(outcome: WireOutcome): RouteOutcome {
  if (outcome.kind === 'applied') return outcome;
  const { kind, reason } = outcome;
  const err = asError(outcome.err);
  return kind === 'refused' ? { kind, err, ...(reason && { reason }) } : { kind, err };
}

function errorOf(reply: CloudReply): Error {
  return reply.kind === 'failed' ? asError(reply.err) : new Error(`nobody asked for ${reply.kind}`);
}

function asError({ message, ...facts }: WireError): Error {
  return Object.assign(new Error(message), facts);
}
