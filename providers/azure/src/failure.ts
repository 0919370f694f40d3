/** The errors of this provider, with stable codes. */
import { CcmError, type Effect, type Retry } from '@tandem/runtime';

/** Every error code of this provider. The reference page is generated from this table. */
export const azureErrorCodes = {
  AzureConfigInvalid: {
    meaning:
      'The file that `--cloud-config` names, or one that it names in turn, cannot be read or has invalid values.',
    retry: ['never'],
    effect: ['none'],
    remedy: 'Fix the fields that the message names.',
  },
  AzureEnvironmentUnknown: {
    meaning:
      'The endpoints of a custom cloud could not be read from the `resourceManagerEndpoint` of the configuration. If another answer may come later, the manager keeps running and asks again.',
    retry: ['never', 'backoff', 'afterMs'],
    effect: ['none'],
    remedy:
      'Check that `<resourceManagerEndpoint>/metadata/endpoints?api-version=2019-05-01` answers from the pod, and that `NODE_EXTRA_CA_CERTS` has its authority.',
  },
  AzureTokenRefused: {
    meaning:
      'Entra ID gave no token for the credentials, or Azure does not take the token. The message has the code and what it means.',
    retry: ['never'],
    effect: ['none'],
    remedy: 'Correct the credentials in `--cloud-config`. The manager tries again by itself.',
  },
  AzureAccessRefused: {
    meaning: 'Azure does not let the principal of the manager do what the message names.',
    retry: ['never'],
    effect: ['none'],
    remedy:
      'Give the principal the role of the guide for Azure on the subscription, with the action that the message names.',
  },
  AzureScopeMissing: {
    meaning:
      'Azure knows no subscription, or no resource group, of that name. This is treated as an outage: no node is deleted because of it.',
    retry: ['backoff'],
    effect: ['none'],
    remedy:
      'Correct `subscriptionId` or `resourceGroup` in `--cloud-config`. Where the resource group of nodes was deleted on purpose, delete the Nodes.',
  },
  AzureCallFailed: {
    meaning: 'Azure could not be reached, or answered with an error. The message has its code.',
    retry: ['backoff'],
    effect: ['none', 'unknown'],
    remedy: 'Check the network, the proxy and the status of Azure.',
  },
  AzureThrottled: {
    meaning: 'Azure throttles the requests of the subscription or of the principal.',
    retry: ['afterMs'],
    effect: ['none'],
    remedy: 'If it persists, find out what else calls Azure in this subscription.',
  },
  AzureListEmpty: {
    meaning:
      'Azure listed no machine at all where others are known to be, or did not find a scale set that it lists. This is treated as an outage: no node is deleted because of it.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'Nothing. If it persists, compare with what `az vm list` or `az vmss list` shows.',
  },
  AzureInstanceIncomplete: {
    meaning:
      'The network interface, a public address or the status of a machine was not in what Azure listed.',
    retry: ['backoff'],
    effect: ['none'],
    remedy:
      'If it persists, check that the principal may read network interfaces and public addresses in the resource group that the message names.',
  },
  AzureInstanceUnreadable: {
    meaning: 'Azure described a machine without an id, or with an id that the manager cannot read.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'If it persists, report it with what `az vm show` or `az vmss list-instances` shows.',
  },
  AzureInstanceAmbiguous: {
    meaning: 'Several machines have the name of the node.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'Set the providerID of the node, or delete the machine that is not the node.',
  },
  AzureRouteTableForeign: {
    meaning: 'The route table has the tag of another cluster.',
    retry: ['backoff'],
    effect: ['none'],
    remedy:
      'Correct `routeTableName` in `--cloud-config`, or remove the tag `k8s-azure-cluster-name` from the table. Without routes, run with `--configure-cloud-routes=false`.',
  },
  AzureRouteTableMissing: {
    meaning: 'The route table does not exist and cannot be created without a location.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'Create the table, or set `location` in `--cloud-config`.',
  },
  AzureRouteTableChanged: {
    meaning: 'Something else changed the route table each time that the manager wrote to it.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'Nothing. If it persists, find out what else writes to the table.',
  },
  AzureRouteTableFull: {
    meaning: 'The route table takes no more routes.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'Ask Azure for a higher limit, or use larger pod CIDRs for fewer nodes.',
  },
  AzureRouteTaken: {
    meaning: 'A route to the destination stands in the table already.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'Delete the route that the message names if it is not wanted.',
  },
  AzureRouteImpossible: {
    meaning:
      'The node has no address of the family of the route, or the route is not in the table.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'Nothing. The manager plans again with what the table shows.',
  },
  AzureOperationFailed: {
    meaning:
      'Azure accepted a change of the route table and failed to carry it out. The message has the code.',
    retry: ['backoff'],
    effect: ['unknown'],
    remedy:
      'Nothing: the manager reads the table and tries again. If it persists, act on the code.',
  },
} as const;

export type AzureErrorCode = keyof typeof azureErrorCodes;

export class AzureError extends CcmError {
  /** Azure's own code; undefined if Azure sent none. */
  readonly azureCode: string | undefined;

  constructor(
    code: AzureErrorCode,
    message: string,
    facts: {
      readonly retry?: Retry;
      readonly effect?: Effect;
      readonly azureCode?: string | undefined;
    } = {},
  ) {
    const { retry = 'backoff', effect = 'none', azureCode } = facts;
    super(message, { code, retry, effect });
    this.azureCode = azureCode;
  }
}
