/** The flags for the API server: its address, the credentials, the rate of requests and the encoding. */
import {
  type AnyFlag,
  bool,
  choice,
  type DefaultedFlag,
  file,
  float,
  type GivenFlags,
  int,
  int32Max,
  serverAddress,
  type StartupNote,
} from '@tandem/cli/flags';
import { accountsManifest, ownManifest } from '../access/index.ts';
import type { ApiSettings } from '../settings/index.ts';

const address = {
  kubeconfig: {
    name: 'kubeconfig',
    type: file,
    otherwise: "the pod's service account",
    help: 'Kubeconfig for access to the API server.',
  },
  master: {
    name: 'master',
    type: serverAddress,
    help: "Address of the API server. Overrides the kubeconfig and the pod's environment.",
  },
};

const requests = {
  qps: {
    name: 'kube-api-qps',
    type: float,
    otherwise: 'no limit; upstream: 20',
    help: "Maximum requests per second from the controllers to the API server. A negative number means no limit. Without a limit, the manager bounds only concurrent requests and relies on the API server's priority and fairness. The upstream default makes thousands of nodes wait for minutes.",
  },
  burst: {
    name: 'kube-api-burst',
    type: int({ min: 1, max: int32Max }),
    byDefault: '30',
    help: 'Number of requests sent at once before --kube-api-qps applies. No effect without --kube-api-qps.',
  },
  contentType: {
    name: 'kube-api-content-type',
    type: choice('type', ['application/vnd.kubernetes.protobuf', 'application/json']),
    byDefault: 'application/vnd.kubernetes.protobuf',
    help: 'Encoding in which nodes are read from the API server: application/vnd.kubernetes.protobuf (cheaper for both sides) or application/json.',
  },
};

export const useServiceAccountCredentials: DefaultedFlag<boolean> = {
  name: 'use-service-account-credentials',
  type: bool,
  byDefault: 'false',
  help: `Let the controllers write as service accounts of their own in kube-system, such as node-controller, with tokens that the manager requests. Apply ${accountsManifest} in place of ${ownManifest}. The manager uses its own identity for the Lease and the node cache.`,
};

/** The flags of the address, which upstream has in another group. */
export const apiAddressFlags: readonly AnyFlag[] = Object.values(address);
export const apiRequestFlags: readonly AnyFlag[] = Object.values(requests);

export function readApi(given: GivenFlags, problems: string[], notes: StartupNote[]): ApiSettings {
  const perSecond = given.find(requests.qps);
  if (perSecond === 0) {
    problems.push(
      '--kube-api-qps 0 would block every request. Remove the flag for no limit, or use a number above 0',
    );
  }
  if (perSecond === undefined && given.isGiven(requests.burst)) {
    notes.push({
      level: 'info',
      message: 'Flag has no effect',
      fields: {
        flag: `--${requests.burst.name}`,
        reason: 'without --kube-api-qps there is no limit to exceed',
      },
    });
  }
  return {
    kubeconfig: given.find(address.kubeconfig),
    master: given.find(address.master),
    rate:
      perSecond === undefined || perSecond <= 0
        ? undefined
        : { perSecond, burst: given.of(requests.burst) },
    encoding: given.of(requests.contentType) === 'application/json' ? 'json' : 'protobuf',
    useControllerAccounts: given.of(useServiceAccountCredentials),
  };
}
