/**
 * Draws the faults of look-ups from the seed. Each kind of fault has its own random stream, so switching one kind on
 * does not change when the others happen.
 */
import type { Instance, LookupAnswer, LookupAnswers } from '@tandem/provider/plug';
import { CcmError, type Random } from '@tandem/runtime';
import { type FaultRates, throttleMs } from './settings.ts';

export type Fault = keyof FaultRates;

export class FaultDraws {
  readonly #streams: Readonly<Record<Fault, Random>>;

  constructor(random: Random) {
    this.#streams = {
      throttle: random.fork('throttle'),
      failure: random.fork('failure'),
      lost: random.fork('lost'),
      partial: random.fork('partial'),
      empty: random.fork('empty'),
      garbage: random.fork('garbage'),
    };
  }

  /** Draws for every kind each time. If several hit, the first in `order` happens. */
  draw(rates: FaultRates): Fault | undefined {
    const hits = order.filter((fault) => this.#streams[fault].next() < rates[fault]);
    return hits[0];
  }

  /** Returns the answers without some of their entries. At least one is missing. */
  thinOut(answers: LookupAnswers): LookupAnswers {
    const entries = [...answers];
    const missing = Math.floor(this.#streams.partial.next() * entries.length);
    return new Map(
      entries.filter((_, index) => index !== missing && this.#streams.partial.next() < 0.5),
    );
  }
}

const order: readonly Fault[] = ['lost', 'throttle', 'failure', 'empty', 'garbage', 'partial'];

/** Returns nonsense for every node, and an answer about a node that the caller did not ask for. */
export function garbageFor(answers: LookupAnswers): LookupAnswers {
  const nonsense: Instance = {
    providerID: '',
    addresses: [{ type: '', address: '<html>502 Bad Gateway</html>' }],
    state: 'running',
    labels: {},
    podBlocks: { IPv4: ['all of them'], IPv6: [] },
  };
  const answer: LookupAnswer = { kind: 'found', instance: nonsense, asOfMs: 0 };
  return new Map([...answers.keys(), 'nobody-asked-for-this'].map((name) => [name, answer]));
}

export function throttled(): CcmError {
  return new CcmError('The simulated cloud throttled the request', {
    code: 'SimulatedThrottling',
    retry: { afterMs: throttleMs },
    effect: 'none',
  });
}

export function credentialsRefused(): CcmError {
  return new CcmError(
    'The simulated cloud refused the credentials. Set refusesCredentials to false.',
    {
      code: 'SimulatedCredentialsRefused',
      retry: 'never',
      effect: 'none',
    },
  );
}

export function failed(): CcmError {
  return new CcmError('The simulated cloud failed to answer', {
    code: 'SimulatedFailure',
    retry: 'backoff',
    effect: 'none',
  });
}

export function failedAfter(): CcmError {
  return new CcmError('The simulated cloud failed to answer after it had done its work', {
    code: 'SimulatedFailureAfter',
    retry: 'backoff',
    effect: 'unknown',
  });
}
