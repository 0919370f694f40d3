/** Puts something else in the place of a member of one of the manager's classes, for as long as a world lasts. */

/** Gives what puts the class's own method back. */
export function replaceMethod<Owner extends object, Name extends keyof Owner>(
  prototype: Owner,
  name: Name,
  make: (own: Owner[Name]) => Owner[Name],
): () => void {
  const own = prototype[name];
  prototype[name] = make(own);
  return () => {
    prototype[name] = own;
  };
}

/** The same for a getter. */
export function replaceGetter<Owner extends object, Name extends keyof Owner & string>(
  prototype: Owner,
  name: Name,
  get: () => Owner[Name],
): () => void {
  const own = Object.getOwnPropertyDescriptor(prototype, name);
  if (own === undefined) throw new Error(`there is no getter ${name}`);
  Object.defineProperty(prototype, name, { ...own, get });
  return () => void Object.defineProperty(prototype, name, own);
}
