/** ModifyNetworkInterfaceAttribute, as far as the source/destination check: one attribute a call. */
import { EC2Error, requireForm } from './error.ts';
import type { Query } from './query.ts';
import { type EC2State, ownerOf, withInstance } from './state.ts';

export function modifyInterface(state: EC2State, query: Query): EC2State {
  query.allow('NetworkInterfaceId', 'SourceDestCheck.Value');
  const id = query.required('NetworkInterfaceId');
  requireForm(id, 'eni', 'InvalidNetworkInterfaceId.Malformed');
  query.required('SourceDestCheck.Value');
  const sourceDestCheck = query.boolean('SourceDestCheck.Value') ?? true;
  const owner = ownerOf(state, id);
  if (owner === undefined) {
    const message = `The networkInterface ID '${id}' does not exist`;
    throw new EC2Error('InvalidNetworkInterfaceID.NotFound', message);
  }
  const interfaces = owner.interfaces.map((one) =>
    one.id === id ? { ...one, sourceDestCheck } : one,
  );
  return withInstance(state, { ...owner, interfaces });
}
