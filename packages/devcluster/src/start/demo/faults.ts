/** How often each thing goes wrong in the cloud and at the API server when faults are switched on. */
import type { FaultRates, RouteFaultRates } from '@tandem/provider-simulated';
import type { FaultPlan } from '../../api-faults/index.ts';

export const cloudFaults: FaultRates = {
  throttle: 0.05,
  failure: 0.1,
  // A look-up without an answer delays its nodes until its deadline, so these are rare.
  lost: 0.01,
  partial: 0.1,
  empty: 0.05,
  garbage: 0.05,
};

export const routeFaults: RouteFaultRates = {
  throttle: 0.01,
  failure: 0.05,
  failureAfter: 0.05,
  lostBefore: 0.01,
  lostAfter: 0.01,
};

/** Of the manager's requests to the API server. */
export const apiFaults: FaultPlan = {
  rates: { delay: 0.1, 'too-many-requests': 0.05, 'reset-before': 0.05, 'reset-after': 0.05 },
  faultsMax: Number.POSITIVE_INFINITY,
  delayMsMax: 400,
};
