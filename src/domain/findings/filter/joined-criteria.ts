import { type Sql, sql } from '#kernel/db/query/sql.ts';

const MAX_JOINED = 4;

/**
 * Keeps the time to plan a filter proportional to its terms. PostgreSQL turns subqueries into joins and then compares
 * orders of joins, which took seconds for 50 terms on branches. `is true` makes the criteria after the first few plain
 * conditions, which cannot become joins.
 */
export const limitJoins = (criteria: readonly Sql[]): Sql[] =>
  criteria.map((condition, index) => (index < MAX_JOINED ? condition : sql`${condition} is true`));
