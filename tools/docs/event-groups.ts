/** Every event that the program sends about a node, by the controller that declares it. */
import {
  type ControllerDeclaration,
  controllers,
  type EventNote,
} from '@tandem/manager/controllers';

export interface EventGroup {
  /** The `reportingController` of the events. */
  readonly controller: string;
  readonly events: readonly EventNote[];
}

export function eventGroupsOf(declarations: readonly ControllerDeclaration[]): EventGroup[] {
  return declarations.map(({ name, events }) => ({ controller: name, events }));
}

export const eventGroups: readonly EventGroup[] = eventGroupsOf(controllers);
