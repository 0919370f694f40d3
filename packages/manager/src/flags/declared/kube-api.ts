/** Where the API server is, how hard it is asked and in which encoding. */
import { type AnyFlag, type DefaultedFlag, type Flag, honoured } from '../flag.ts';
import { choice, file, float, int, int32Max, serverAddress } from '../values/index.ts';

export const kubeconfig: Flag<string | undefined> = {
  name: 'kubeconfig',
  type: file,
  standing: honoured,
  otherwise: "the pod's own credentials",
  help: 'The kubeconfig with which the manager talks to the API server.',
};

export const master: Flag<string | undefined> = {
  name: 'master',
  type: serverAddress,
  standing: honoured,
  help: "The address of the API server, in place of the one in the kubeconfig or in the pod's environment.",
};

export const kubeApiQps: Flag<number> = {
  name: 'kube-api-qps',
  type: float,
  standing: honoured,
  otherwise: 'no limit; upstream has 20',
  help: "The most requests a second that controllers send to the API server. Without it only the number that is under way at once is bounded, and the API server's own fairness decides; upstream's low default makes thousands of nodes wait for minutes. A negative number stands for no limit.",
};

export const kubeApiBurst: DefaultedFlag<number> = {
  name: 'kube-api-burst',
  type: int({ min: 1, max: int32Max }),
  byDefault: '30',
  standing: honoured,
  help: 'How many requests may be sent at once before --kube-api-qps holds them back. It counts only together with that flag.',
};

export const kubeApiContentType: DefaultedFlag<
  'application/vnd.kubernetes.protobuf' | 'application/json'
> = {
  name: 'kube-api-content-type',
  type: choice('type', ['application/vnd.kubernetes.protobuf', 'application/json']),
  byDefault: 'application/vnd.kubernetes.protobuf',
  standing: honoured,
  help: 'How nodes are read from the API server: application/vnd.kubernetes.protobuf, which is the cheaper one for both sides, or application/json.',
};

export const apiFlags: readonly AnyFlag[] = [kubeApiQps, kubeApiBurst, kubeApiContentType];

/** Where it is: upstream has these in another group. */
export const serverFlags: readonly AnyFlag[] = [kubeconfig, master];
