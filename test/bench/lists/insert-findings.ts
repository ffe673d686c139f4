import type pg from 'pg';

/** Two hundred projects with one branch and one analysis each. */
export async function insertProjects(client: pg.Client, deployment: string): Promise<void> {
  await client.query(
    `insert into project (deployment_id, name, name_key, default_branch)
     select $1, 'acme/service-' || n, 'acme/service-' || n, 'main' from generate_series(1, 200) as n`,
    [deployment],
  );
  await client.query(
    `insert into project_ref (deployment_id, project_id, ref) select $1, id, 'main' from project
     where deployment_id = $1`,
    [deployment],
  );
  await client.query(
    `insert into analysis (deployment_id, project_id, ref_id, key)
     select $1, project_id, id, 'bench' from project_ref where deployment_id = $1`,
    [deployment],
  );
}

/** Findings of these numbers in the projects of a deployment, inserted by SQL: over two years, each detected once. */
export async function insertFindings(
  client: pg.Client,
  deployment: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await client.query(
    `with made as (
         insert into finding (deployment_id, project_id, product, tool, rule, title, message, severity, confidence,
           category, cwes, owasps, path, line, start_column, end_line, end_column, code, state, first_scan_id,
           first_seen_at, relevant_since)
         select $1, analysis.project_id, (array['sast', 'sast', 'sast', 'sca', 'secrets'])[1 + n % 5], 'bench',
           'rule-' || n % 400, 'Rule ' || n % 400, 'User input reaches a sink, number ' || n, n / 5 % 5, 1 + n % 3,
           'security', array['CWE-' || 1 + n % 90], '{}', 'src/module-' || n % 900 || '/file-' || n % 31 || '.ts',
           1 + n % 4000, 1, 1 + n % 4000, 40, 'run(query[' || n || '])',
           case when n % 7 = 0 then 'fixed' else 'detected' end, 1,
           now() - n * interval '63 seconds', now() - n * interval '63 seconds'
         from generate_series($2::integer, $3::integer - 1) as n
         join (select project_id, row_number() over (order by project_id) as number from analysis
               where deployment_id = $1) as analysis on analysis.number = 1 + n % 200
         returning deployment_id, id, project_id, state, path, line, relevant_since
       )
       insert into detection (deployment_id, analysis_id, finding_id, state, evidence, is_muted, path, line,
         start_column, end_line, end_column, first_scan_id, detected_at, changed_at, changed_scan_id)
       select made.deployment_id, analysis.id, made.id, made.state, 'new', false, made.path, made.line, 1, made.line,
         40, 1, made.relevant_since, made.relevant_since, 1
       from made join analysis on analysis.deployment_id = $1 and analysis.project_id = made.project_id`,
    [deployment, from, to],
  );
}
