/** Where the API server is, how hard it is asked and in which encoding. */
import {
  type AnyFlag,
  choice,
  type DefaultedFlag,
  file,
  type Flag,
  float,
  honoured,
  int,
  int32Max,
  serverAddress,
} from '@tandem/cli/flags';

export const kubeconfig: Flag<string | undefined> = {
  name: 'kubeconfig',
  type: file,
  support: honoured,
  otherwise: "the pod's service account",
  help: 'Kubeconfig for access to the API server.',
};

export const master: Flag<string | undefined> = {
  name: 'master',
  type: serverAddress,
  support: honoured,
  help: "Address of the API server. Overrides the kubeconfig and the pod's environment.",
};

export const kubeApiQps: Flag<number> = {
  name: 'kube-api-qps',
  type: float,
  support: honoured,
  otherwise: 'no limit; upstream: 20',
  help: "Maximum requests per second from the controllers to the API server. A negative number means no limit. Without a limit, the manager bounds only concurrent requests and relies on the API server's priority and fairness. The upstream default makes thousands of nodes wait for minutes.",
};

export const kubeApiBurst: DefaultedFlag<number> = {
  name: 'kube-api-burst',
  type: int({ min: 1, max: int32Max }),
  byDefault: '30',
  support: honoured,
  help: 'Number of requests sent at once before --kube-api-qps applies. No effect without --kube-api-qps.',
};

export const kubeApiContentType: DefaultedFlag<
  'application/vnd.kubernetes.protobuf' | 'application/json'
> = {
  name: 'kube-api-content-type',
  type: choice('type', ['application/vnd.kubernetes.protobuf', 'application/json']),
  byDefault: 'application/vnd.kubernetes.protobuf',
  support: honoured,
  help: 'Encoding in which nodes are read from the API server: application/vnd.kubernetes.protobuf (cheaper for both sides) or application/json.',
};

export const apiFlags: readonly AnyFlag[] = [kubeApiQps, kubeApiBurst, kubeApiContentType];

/** Where it is: upstream has these in another group. */
export const serverFlags: readonly AnyFlag[] = [kubeconfig, master];
