/**
 * All error codes of the program, by where they come from. The tables stand beside the errors; those
 * here are of parts too small to have one.
 */
import { type ErrorNote, kubeErrorCodes } from '@tandem/kube/errors';
import { lookupErrorCodes } from '@tandem/provider/lookup';
import { loadErrorCodes } from '@tandem/provider/module';

export interface ErrorGroup {
  readonly title: string;
  readonly codes: Readonly<Record<string, ErrorNote>>;
}

const lasting = { retry: ['never'], effect: ['none'] } as const;
const passing = { retry: ['backoff'], effect: ['none'] } as const;

const managerErrorCodes: Readonly<Record<string, ErrorNote>> = {
  ServingSettingsInvalid: {
    ...lasting,
    meaning: 'The flags of the secure port contradict each other or have impossible values.',
    remedy: 'Mend the flags that the message names.',
  },
  ServingCertificateInvalid: {
    ...lasting,
    meaning: 'A certificate, key or list of authorities of the secure port cannot be used.',
    remedy: 'Write the file that the message names anew, in PEM form.',
  },
  ServingAddressUnavailable: {
    ...lasting,
    meaning: 'The secure port cannot be opened: the address is not of this machine, or is taken.',
    remedy: 'Choose another with `--bind-address` or `--secure-port`, or end what holds it.',
  },
  AuthenticationLookupFailed: {
    retry: ['never', 'backoff'],
    effect: ['none'],
    meaning:
      'How to know the callers of the secure port could not be read from the cluster. The manager ends with 1 where the API server cannot be reached, and with 2 where it refuses.',
    remedy:
      'Where the API server cannot be reached, nothing: start again once it answers. Where it refuses with 403, bind the role `extension-apiserver-authentication-reader` in `kube-system` to the manager. Either is tolerated with `--authentication-tolerate-lookup-failure`.',
  },
  ReviewFailed: {
    ...passing,
    meaning: 'The API server could not be asked who a caller of the secure port is, or may do.',
    remedy: 'Grant creating TokenReviews and SubjectAccessReviews, and look at the API server.',
  },
  ReviewUnreadable: {
    ...lasting,
    meaning: 'The API server answered a review with something else.',
    remedy: 'Find out what answers at this address; it is hardly an API server.',
  },
  ControllerTokenUnavailable: {
    ...passing,
    meaning:
      'With `--use-service-account-credentials`: the API server gave no token for the account of the controllers.',
    remedy: 'Apply `manifests/controller-account.yaml`, or leave the flag out.',
  },
  DryRun: {
    ...lasting,
    meaning: 'A write was held back, because a dry run writes nothing.',
    remedy: 'Nothing should write in a dry run: report what did.',
  },
};

const staticErrorCodes: Readonly<Record<string, ErrorNote>> = {
  InventoryMissing: {
    ...passing,
    meaning: 'The provider `static` was given no inventory.',
    remedy: 'Name one with `--cloud-config`.',
  },
  InventoryNotReadable: {
    ...passing,
    meaning: 'The inventory does not exist or cannot be read. What was read before stays in use.',
    remedy: 'Check the path, and that this program may read it.',
  },
  InventoryInvalid: {
    ...passing,
    meaning: 'The inventory cannot be used as a whole. What was read before stays in use.',
    remedy: 'Mend what the message names by line and column.',
  },
  InventoryEntryRefused: {
    ...passing,
    meaning: 'An entry of the inventory has a problem, so that nothing is known of its machine.',
    remedy: 'Mend the entry that the message names by line and column.',
  },
  InventoryNotOwner: {
    ...passing,
    meaning: 'The providerID of the node is not one of the inventory.',
    remedy: 'Add its prefix to the inventory if it is the cloud of this node.',
  },
};

const simulatedErrorCodes: Readonly<Record<string, ErrorNote>> = {
  SimulatedConfigGiven: {
    ...lasting,
    meaning: 'The provider `simulated` was given a configuration, and has none.',
    remedy: 'Leave `--cloud-config` out.',
  },
  SimulatedThrottling: {
    retry: ['afterMs'],
    effect: ['none'],
    meaning: 'The simulated cloud throttles, because a test told it to.',
    remedy: 'Nothing.',
  },
  SimulatedCredentialsRefused: {
    ...lasting,
    meaning: 'The simulated cloud refuses credentials, because a test told it to.',
    remedy: 'Nothing.',
  },
  SimulatedFailure: {
    ...passing,
    meaning: 'The simulated cloud fails, because a test told it to.',
    remedy: 'Nothing.',
  },
};

const devclusterErrorCodes: Readonly<Record<string, ErrorNote>> = {
  EmbeddedServerUnavailable: {
    ...lasting,
    meaning: 'The embedded API server cannot listen where it was told to, or is stopping.',
    remedy: 'Choose another address or port, or end what listens there.',
  },
};

export const errorGroups: readonly ErrorGroup[] = [
  { title: 'Talking to the API server', codes: kubeErrorCodes },
  { title: 'Looking up instances', codes: lookupErrorCodes },
  { title: 'Loading a provider', codes: loadErrorCodes },
  { title: 'The manager', codes: managerErrorCodes },
  { title: 'The provider static', codes: staticErrorCodes },
  { title: 'The provider simulated', codes: simulatedErrorCodes },
  { title: 'The embedded cluster', codes: devclusterErrorCodes },
];
