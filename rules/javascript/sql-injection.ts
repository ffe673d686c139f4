import { Pool } from 'pg';

const pool = new Pool();
const TABLE = 'people';

app.get('/people', async (req: Request, res: Response) => {
  const name = req.query.name;
  // ruleid: parapet.javascript.sql-injection-request, parapet.javascript.sql-injection-concat
  await pool.query(`select * from people where name = '${name}'`);
  // ruleid: parapet.javascript.sql-injection-request, parapet.javascript.sql-injection-concat
  await pool.query("select * from people where name = '" + req.body.name + "'");
  // ok: parapet.javascript.sql-injection-request, parapet.javascript.sql-injection-concat
  await pool.query('select * from people where name = $1', [name]);
  const id = Number(req.params.id);
  // ok: parapet.javascript.sql-injection-request
  await pool.query({ text: 'select * from people where id = $1', values: [id] });
  // ok: parapet.javascript.sql-injection-request
  await search.query(req.query.words);
  // ruleid: parapet.javascript.sql-injection-request
  await prisma.$queryRawUnsafe(req.body.statement);
});

async function remove(connection: Connection, name: string, count: number) {
  const statement = `delete from people where name = '${name}'`;
  // ruleid: parapet.javascript.sql-injection-concat
  await connection.execute(statement);
  // ok: parapet.javascript.sql-injection-concat
  await connection.execute(`select count(*) from ${TABLE}`);
  // ok: parapet.javascript.sql-injection-concat
  await connection.execute('delete from people where name = ?', [name]);
  // ok: parapet.javascript.sql-injection-concat
  await prisma.$queryRaw`select * from people where name = ${name}`;
  // ok: parapet.javascript.sql-injection-concat
  await tasks.execute(`update the counter and set it to ${count}`.trim());
}
