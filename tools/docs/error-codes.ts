/**
 * All error codes of the program, by where they come from. The tables stand beside the errors; those
 * here are of parts too small to have one.
 */
import { type ErrorNote, kubeErrorCodes } from '@tandem/kube/errors';
import { lookupErrorCodes } from '@tandem/provider/lookup';
import { loadErrorCodes } from '@tandem/provider/module';
import { routeErrorCodes } from '@tandem/provider/routes';
import { awsErrorCodes } from '@tandem/provider-aws/errors';
import { azureErrorCodes } from '@tandem/provider-azure/errors';

export interface ErrorGroup {
  readonly title: string;
  readonly codes: Readonly<Record<string, ErrorNote>>;
}

const lasting = { retry: ['never'], effect: ['none'] } as const;
const passing = { retry: ['backoff'], effect: ['none'] } as const;

const managerErrorCodes: Readonly<Record<string, ErrorNote>> = {
  ServingCertificateInvalid: {
    ...lasting,
    meaning: 'A certificate, key or list of authorities of the secure port cannot be used.',
    remedy: 'Write the file that the message names again, in PEM form.',
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
      'How to know the callers of the secure port could not be read from the cluster. The manager ends with 1 where the API server cannot be reached, or refuses the credentials for 60 s, and with 2 where it refuses otherwise.',
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
    remedy:
      'Apply `manifests/rendered/rbac-controller-accounts.yaml` in place of `manifests/rendered/rbac.yaml`, or leave the flag out.',
  },
  NodeChanged: {
    ...passing,
    meaning:
      'A network plugin wrote the condition `NetworkUnavailable` of a new node while the manager was about to write its own.',
    remedy: 'Nothing: the manager reads the node and goes on from there.',
  },
  VersionLost: {
    ...passing,
    meaning:
      'The API server stored a write to a node and did not say under which resourceVersion, which the next write depends on.',
    remedy: 'Nothing: the manager reads the node and goes on from there.',
  },
  RouteChangeNotListed: {
    retry: ['backoff'],
    effect: ['unknown'],
    meaning:
      'The cloud applied a change of a route more than a minute ago and again now, but lists the route as before. Either its lists are late, or something undoes the change.',
    remedy:
      'If it lasts, look for another program that changes the route, or the instance that it leads to.',
  },
  CredentialsRefused: {
    ...lasting,
    meaning:
      'The API server answered every request with 401 for 60 s, so the manager ended with 1. The message names the kubeconfig or the token file.',
    remedy:
      'Write valid credentials there and start the manager again. In a pod: check that the service account exists, and delete the pod.',
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
    meaning: 'The provider `static` has no inventory.',
    remedy: 'Name one with `--cloud-config`.',
  },
  InventoryNotReadable: {
    ...passing,
    meaning:
      'The inventory does not exist, or the manager cannot read it. The last good inventory stays in use.',
    remedy: 'Check the path and the permissions of the file.',
  },
  InventoryInvalid: {
    ...passing,
    meaning: 'The inventory as a whole is invalid. The last good inventory stays in use.',
    remedy: 'Fix the line and column that the message names.',
  },
  InventoryEntryRefused: {
    ...passing,
    meaning:
      'An inventory entry is invalid, so nothing is known about its machine. Where its name or providerID cannot be read, nothing is known about any node that has no entry and that it may be about.',
    remedy: 'Fix the entry at the line and column that the message names.',
  },
  InventoryNotOwner: {
    ...passing,
    meaning: 'The providerID of the node has none of the prefixes that the inventory covers.',
    remedy: 'If the inventory lists this node, add the prefix to `providerIDPrefixes`.',
  },
  StaticTableRemoved: {
    ...passing,
    meaning: '`routeTable` was removed from the inventory while the manager runs.',
    remedy: 'Add it again, or restart the manager to run it without routes.',
  },
  StaticTableNotReadable: {
    ...passing,
    meaning: 'The manager cannot read the file of the route table, or its folder does not exist.',
    remedy: 'Check the path, the permissions and that the storage is mounted.',
  },
  StaticTableInvalid: {
    ...passing,
    meaning:
      'The file of the route table has content that the manager did not write. The manager leaves it as it is.',
    remedy: 'Restore the file, or delete it: the manager then writes all routes again.',
  },
  StaticTableNotWritable: {
    retry: ['backoff'],
    effect: ['none', 'unknown'],
    meaning: 'The manager cannot replace the file of the route table.',
    remedy: 'Let the manager create, rename and remove files in the folder of the file.',
  },
  StaticTableFull: {
    ...passing,
    meaning: 'The route table has 100,000 routes, which is as many as the manager keeps in a file.',
    remedy: 'Report it: no cluster should need so many.',
  },
  StaticRouteExists: {
    ...passing,
    meaning: 'The route table already has a route to the destination.',
    remedy: 'Nothing. The manager lists the routes again.',
  },
  StaticRouteMissing: {
    ...passing,
    meaning: 'The route to change is no longer in the table, or the inventory names another table.',
    remedy: 'Nothing. The manager lists the routes again.',
  },
  StaticRouteRefused: {
    ...passing,
    meaning:
      'There can be no route to the node: it has no InternalIP of that family, or no entry in the inventory that lists the address.',
    remedy: 'Add the address, or mend the entry that the message names.',
  },
};

const simulatedErrorCodes: Readonly<Record<string, ErrorNote>> = {
  SimulatedConfigGiven: {
    ...lasting,
    meaning: 'The provider `simulated` takes no configuration, but `--cloud-config` names one.',
    remedy: 'Remove `--cloud-config`.',
  },
  SimulatedThrottling: {
    retry: ['afterMs'],
    effect: ['none'],
    meaning: 'The simulated cloud throttles requests because its settings say so.',
    remedy: 'Nothing.',
  },
  SimulatedCredentialsRefused: {
    ...lasting,
    meaning: 'The simulated cloud refuses the credentials because its settings say so.',
    remedy: 'Nothing.',
  },
  SimulatedFailure: {
    ...passing,
    meaning: 'The simulated cloud fails because its settings say so.',
    remedy: 'Nothing.',
  },
  SimulatedFailureAfter: {
    retry: ['backoff'],
    effect: ['unknown'],
    meaning: 'The simulated cloud fails after it changed a route, because its settings say so.',
    remedy: 'Nothing.',
  },
  SimulatedRouteRefused: {
    ...passing,
    meaning: 'The simulated cloud refuses to change a route. The message says why.',
    remedy: 'Nothing.',
  },
  SimulatedRouteExists: {
    ...passing,
    meaning: 'A simulated route table already has a route to the destination.',
    remedy: 'Nothing.',
  },
  SimulatedTableFull: {
    ...passing,
    meaning: 'A simulated route table has as many routes as its settings allow.',
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
  { title: 'Routes in the cloud', codes: routeErrorCodes },
  { title: 'Loading a provider', codes: loadErrorCodes },
  { title: 'The manager', codes: managerErrorCodes },
  { title: 'The provider static', codes: staticErrorCodes },
  { title: 'The provider aws', codes: awsErrorCodes },
  { title: 'The provider azure', codes: azureErrorCodes },
  { title: 'The provider simulated', codes: simulatedErrorCodes },
  { title: 'The embedded cluster', codes: devclusterErrorCodes },
];
