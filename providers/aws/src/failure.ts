/** The errors of this provider, with stable codes. */
import { CcmError, type Effect, type Retry } from '@tandem/runtime';

/** Every error code of this provider. The reference page is generated from this table. */
export const awsErrorCodes = {
  AWSConfigInvalid: {
    meaning:
      'The file that `--cloud-config` names cannot be read or has an invalid value, or an endpoint or proxy in the environment is no URL, or `AWS_USE_FIPS_ENDPOINT` or `AWS_USE_DUALSTACK_ENDPOINT` is neither `true` nor `false`.',
    retry: ['never'],
    effect: ['none'],
    remedy: 'Fix the line, the key or the variable that the message names.',
  },
  AWSRegionUnknown: {
    meaning:
      'Neither the configuration nor the environment names a region, and the instance metadata service did not answer.',
    retry: ['never'],
    effect: ['none'],
    remedy:
      'Set `Region` in `[Global]`, or `AWS_REGION`. In a pod, raise the hop limit of the metadata service to 2.',
  },
  AWSClusterUnknown: {
    meaning:
      'The id of the cluster is not known, so instances cannot be found by the names of nodes.',
    retry: ['backoff'],
    effect: ['none'],
    remedy:
      'Set `KubernetesClusterID` in `[Global]`, or tag the instance that the manager runs on with `kubernetes.io/cluster/<id>`.',
  },
  AWSInstanceAmbiguous: {
    meaning: 'Several instances of the cluster have the private DNS name of the node.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'Set the providerID of the node, or terminate the instance that is not the node.',
  },
  AWSInstanceUntagged: {
    meaning:
      'The instance with the name of the node does not have the tag of the cluster, or has that of another one.',
    retry: ['backoff'],
    effect: ['none'],
    remedy:
      'Tag the instance with `kubernetes.io/cluster/<id>`, or start the kubelet with `--provider-id`.',
  },
  AWSInstanceElsewhere: {
    meaning:
      'The region does not have the instance of the node, and the zone that its providerID or its label names is in another region.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'Set `Region` in `[Global]` to the region of the nodes, or delete the Node.',
  },
  AWSInstanceUnreadable: {
    meaning: 'EC2 described an instance without an id, zone or state that the manager knows.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'If it persists, report it with what `aws ec2 describe-instances` shows.',
  },
  EC2AccessRefused: {
    meaning: 'EC2 refused the credentials, or their policy does not allow the action.',
    retry: ['never'],
    effect: ['none'],
    remedy:
      'Check the credentials, and that their policy allows the action that the message names.',
  },
  AWSRouteTableUnknown: {
    meaning:
      'No route table is configured or has the tag of the cluster, one that is configured does not exist, or it belongs to another cluster.',
    retry: ['backoff'],
    effect: ['none'],
    remedy:
      'Name the tables with `RouteTableID` in `[Global]`, or tag them with `kubernetes.io/cluster/<id>`. Without routes, run with `--configure-cloud-routes=false`.',
  },
  AWSRouteTableTooSmall: {
    meaning: 'The cluster has more nodes than a route table takes routes of a family.',
    retry: ['backoff'],
    effect: ['none'],
    remedy:
      'Take pod CIDRs from EC2 (`--cidr-allocator-type=CloudAllocator`), use a network plugin that encapsulates, or select fewer nodes with `routes.selector`. If the table takes fewer than 1,000 routes, raise its quota.',
  },
  AWSRouteTargetUnknown: {
    meaning: 'EC2 shows no network interface of the instance that the route is to lead to.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'Nothing. The manager tries again when EC2 shows the instance.',
  },
  EC2CallFailed: {
    meaning: 'EC2 could not be reached, or answered with an error. The message has the code.',
    retry: ['backoff'],
    effect: ['none', 'unknown'],
    remedy: 'Check the network, the region and the status of EC2.',
  },
  EC2Throttled: {
    meaning: 'EC2 throttles the requests of the account.',
    retry: ['afterMs'],
    effect: ['none'],
    remedy: 'If it persists, find out what else calls EC2 in this account and region.',
  },
} as const;

/** EC2's code for a call with ids of which one does not exist. */
export const notFoundCode = 'InvalidInstanceID.NotFound';

export type AWSErrorCode = keyof typeof awsErrorCodes;

export class AWSError extends CcmError {
  /** EC2's own code; undefined if EC2 did not answer. */
  readonly ec2Code: string | undefined;
  /** Whether a zone may be down: EC2 failed the call for no reason of the account, or did not answer in time. */
  readonly isTrouble: boolean;

  constructor(
    code: AWSErrorCode,
    message: string,
    facts: {
      readonly retry?: Retry;
      readonly effect?: Effect;
      readonly ec2Code?: string;
      readonly isTrouble?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    const { retry = 'backoff', effect = 'none', ec2Code, isTrouble = false, cause } = facts;
    super(message, { code, retry, effect, cause });
    this.ec2Code = ec2Code;
    this.isTrouble = isTrouble;
  }
}

/**
 * Returns the list of an answer, which may be empty. The SDK parses a proxy's HTML page as an answer without a list.
 * Such a page proves nothing about EC2, least of all that an instance is gone (P3), so it is an error.
 */
export function requireList<T>(action: string, list: readonly T[] | undefined): readonly T[] {
  if (list !== undefined) return list;
  const text = `${action} of EC2 failed: the answer is none of EC2's. Check the endpoint and the proxy`;
  throw new AWSError('EC2CallFailed', text, { isTrouble: true });
}
