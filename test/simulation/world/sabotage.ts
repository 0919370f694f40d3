/** What can be wrong with a manager, as far as it can be brought about from outside its code. */
import type { KubeTransport } from '@tandem/kube/transport';
import type { ManagerSettings } from '@tandem/manager/settings';
import type { Provider } from '@tandem/provider/plug';
import type { Clock } from '@tandem/runtime';

export interface Sabotage {
  readonly name: string;
  /** Between the manager and its API server. */
  readonly transport?: (inner: KubeTransport, about: SabotagedProcess) => KubeTransport;
  /** Between the manager and its cloud. */
  readonly provider?: (inner: Provider, clock: Clock) => Provider;
  /** After those of every world, so that they count. */
  readonly flags?: readonly string[];
  readonly settings?: (settings: ManagerSettings) => ManagerSettings;
  /** Replaces parts of the manager's own classes for as long as the world lasts; gives what undoes that. */
  readonly replace?: () => () => void;
}

interface SabotagedProcess {
  /** Counts the managers of the world from 0. */
  readonly number: number;
  readonly clock: Clock;
}
