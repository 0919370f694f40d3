/** ModifyInstanceAttribute, as far as the source/destination check of an instance with a single interface. */
import { requireIds } from './describe-instances.ts';
import { EC2Error } from './error.ts';
import type { Query } from './query.ts';
import { type EC2State, type FakeInterface, withInstance } from './state.ts';

export function modifyInstance(state: EC2State, query: Query): EC2State {
  query.allow('InstanceId', 'SourceDestCheck.Value');
  const id = query.required('InstanceId');
  query.required('SourceDestCheck.Value');
  const sourceDestCheck = query.boolean('SourceDestCheck.Value') ?? true;
  const one = onlyInterfaceOf(state, id);
  const instance = state.instances.get(id);
  if (instance === undefined) return state;
  return withInstance(state, { ...instance, interfaces: [{ ...one, sourceDestCheck }] });
}

/** Where an instance stands for its interface, EC2 wants it to have just one. */
export function onlyInterfaceOf(state: EC2State, id: string): FakeInterface {
  requireIds(state, [id]);
  const [one, ...more] = state.instances.get(id)?.interfaces ?? [];
  if (one !== undefined && more.length === 0) return one;
  const message = `There are multiple interfaces attached to instance '${id}'. Please specify an interface ID for the operation instead.`;
  throw new EC2Error('InvalidInstanceID', message);
}
