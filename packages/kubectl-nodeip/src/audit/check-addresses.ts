/** Checks P2: nodes have only addresses that the cloud lists, as the manager's view shows it, and no excluded ones. */
import { isSameAddress } from '@tandem/core/ip';
import { type CloudAddress, enumerate, exclude, readAddresses } from '@tandem/core/node-address';
import { isInitialised, isPausing, pausedAnnotation } from '@tandem/core/node-init';
import type { NodeView, PlanSettings } from '@tandem/core/view';
import type { NodeProjection } from '@tandem/kube/node';
import { type Breach, breach } from './breach.ts';

/** Skips nodes that the manager does not manage. */
export function checkAddresses(
  nodes: readonly NodeProjection[],
  views: ReadonlyMap<string, NodeView>,
  { settings }: PlanSettings,
): readonly Breach[] {
  return nodes.flatMap((node) => {
    const view = views.get(node.uid);
    const isPaused = isPausing(node.annotations[pausedAnnotation]);
    if (view === undefined || view.state === 'not ours' || isPaused || !isInitialised(node)) {
      return [];
    }
    const shown = readAddresses(node.addresses);
    return [...notInCloud(node, shown, view), ...excluded(node, shown, settings.exclusions)];
  });
}

/** Checks only IPs, because names may come from the kubelet. An unknown answer proves nothing (P3). */
function notInCloud(
  { name }: NodeProjection,
  shown: readonly CloudAddress[],
  { cloud }: NodeView,
): readonly Breach[] {
  if (cloud?.kind !== 'found') return [];
  const listed = readAddresses(cloud.instance.addresses);
  const strangers = shown.filter(
    ({ ip, type }) =>
      ip !== undefined &&
      !listed.some((one) => one.type === type && one.ip !== undefined && isSameAddress(one.ip, ip)),
  );
  if (strangers.length === 0) return [];
  const texts = strangers.map(({ type, address }) => `${type} ${address}`);
  const message = `The node has ${enumerate(texts)}, which the cloud did not list for its instance at ${cloud.asOf}.`;
  return [breach('AddressNotInCloud', name, message)];
}

function excluded(
  { name }: NodeProjection,
  shown: readonly CloudAddress[],
  exclusions: PlanSettings['settings']['exclusions'],
): readonly Breach[] {
  const found = exclude(shown, exclusions).excluded;
  if (found.length === 0) return [];
  const texts = found.map(({ type, address, reason }) => `${type} ${address} (${reason})`);
  return [breach('ExcludedAddress', name, `The node has ${enumerate(texts)}, which is excluded.`)];
}
