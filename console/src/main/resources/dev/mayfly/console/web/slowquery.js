/* Shapes of slow operations as queries of the documents page. */

const QUERIES = { find: ['filter'], count: ['query'], distinct: ['query'], aggregate: ['pipeline'],
  findAndModify: ['query'] };

function indented(value) {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}

/**
 * The query of a slow operation; undefined if it was none.
 * @param {Record<string, any>} operation
 * @returns {{database: string, collection: string, text: string} | undefined}
 */
export function slowQuery({ door, operation, namespace, shape }) {
  const dot = namespace?.indexOf('.') ?? -1;
  if (dot < 1) {
    return undefined;
  }
  const place = { database: namespace.slice(0, dot), collection: namespace.slice(dot + 1) };
  if (door === 'cosmos') {
    const text = typeof shape === 'string' ? shape : shape?.query;
    return typeof text === 'string' ? { ...place, database: cosmos(place.database), text }
      : undefined;
  }
  const member = QUERIES[operation]?.[0];
  return member && { ...place, pipeline: operation === 'aggregate',
    text: indented(shape[member] ?? (operation === 'aggregate' ? [] : {})),
    sort: indented(shape.sort), projection: indented(shape.projection) };
}

function cosmos(database) {
  return database.startsWith('cosmos:') ? database : `cosmos:${database}`;
}
