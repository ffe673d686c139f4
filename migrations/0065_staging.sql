-- Rows of an import are staged in a table that ends with its transaction.
do $$
begin
  execute format('grant temporary on database %I to parapet_app', current_database());
end $$;
