/**
 * A claim about the API: something that the manager, kubelets or kubectl rely on, as a name and a
 * function that fails where it does not hold. The same claims are put to a real kube-apiserver and to
 * the embedded one; wherever they differ, the real one is right.
 */
import type { Session } from './session.ts';

export interface Claim {
  readonly name: string;
  readonly run: (api: Session) => Promise<void>;
}
