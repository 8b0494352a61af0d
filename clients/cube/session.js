// Cube: a model generated from the database, and a dashboard's queries through the REST interface.
'use strict'
const assert = require('node:assert/strict')
const { once } = require('node:events')
const fs = require('node:fs')
const net = require('node:net')
const os = require('node:os')
const path = require('node:path')

const { PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE } = process.env

Object.assign(process.env, {
  CUBEJS_DB_TYPE: 'postgres', CUBEJS_DB_HOST: PGHOST, CUBEJS_DB_PORT: PGPORT, CUBEJS_DB_NAME: PGDATABASE, CUBEJS_DB_USER: PGUSER, CUBEJS_DB_PASS: PGPASSWORD,
  CUBEJS_DEV_MODE: 'true', CUBEJS_API_SECRET: 'secret', CUBEJS_SCHEMA_PATH: 'model', CUBEJS_TELEMETRY: 'false', CUBEJS_LOG_LEVEL: 'error',
  // Without Cube Store and the SQL interface, which are native programs.
  CUBEJS_CACHE_AND_QUEUE_DRIVER: 'memory', CUBEJS_EXTERNAL_DEFAULT: 'false', CUBEJS_SCHEDULED_REFRESH_DEFAULT: 'false', CUBEJS_PG_SQL_PORT: 'false',
  CUBEJS_EXT_DB_TYPE: 'postgres', CUBEJS_EXT_DB_HOST: PGHOST, CUBEJS_EXT_DB_PORT: PGPORT, CUBEJS_EXT_DB_NAME: PGDATABASE, CUBEJS_EXT_DB_USER: PGUSER,
  CUBEJS_EXT_DB_PASS: PGPASSWORD,
})

// npm installs the native part without its program, which is elsewhere. Here only the log of the SQL interface and templates in YAML would use it.
const native = require('@cubejs-backend/native')
native.setupLogger = () => {}
native.NativeInstance.prototype.newJinjaEngine = () => null

const { CubejsServer } = require('@cubejs-backend/server')
const { version } = require('@cubejs-backend/server/package.json')
const { Client } = require('pg')

const { listen } = net.Server.prototype
net.Server.prototype.listen = function (port, ...rest) {
  return listen.call(this, port, '127.0.0.1', ...rest)
}

// The generated model leaves numbers out, and knows no measures but the count. People add theirs.
const MODEL = `cube('people', {
  sql_table: 'public.people',
  dimensions: {
    region: { sql: 'region', type: 'string' },
    sex: { sql: 'sex', type: 'string' },
    age: { sql: 'age', type: 'number' },
    admitted: { sql: 'admitted', type: 'time' },
  },
  segments: { adults: { sql: \`\${CUBE}.age >= 18\` } },
  measures: {
    count: { type: 'count' },
    women: { type: 'count', filters: [{ sql: \`\${CUBE}.sex = 'F'\` }] },
    share: { sql: \`1.0 * \${women} / NULLIF(\${count}, 0)\`, type: 'number' },
    mean_age: { sql: 'age', type: 'avg' },
    oldest: { sql: 'age', type: 'max' },
  },
})

cube('listed', {
  sql_table: 'public.people',
  dimensions: {
    region: { sql: 'region', type: 'string' },
    age: { sql: 'age', type: 'number', primary_key: true, public: true },
  },
})
`

async function check(name, f) {
  try {
    await f()
    console.log(`ok: ${name}`)
  } catch (e) {
    console.log(`failed: ${name}: ${String(e.message).replace(/\s+/g, ' ')}`)
  }
}

async function main() {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'tacit-cube-'))
  try {
    fs.mkdirSync(path.join(directory, 'model'))
    process.chdir(directory)
    await session(path.join(directory, 'model'))
  } finally {
    process.chdir(os.tmpdir())
    fs.rmSync(directory, { recursive: true })
  }
}

async function session(models) {
  console.log(`version: ${version}, node ${process.versions.node}`)
  const client = new Client()
  await client.connect()
  const spent = async () => Number((await client.query("SELECT epsilon_spent FROM tacit.budget WHERE table_name = 'people'")).rows[0].epsilon_spent)

  process.env.PORT = await freePort()
  const { server } = await new CubejsServer().listen()
  if (!server.listening) await once(server, 'listening')
  const base = `http://127.0.0.1:${process.env.PORT}`
  const post = async (where, body) => {
    const response = await fetch(base + where, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
    return response.json()
  }
  const load = async query => {
    for (;;) {
      const answer = await post('/cubejs-api/v1/load', { query })
      if (answer.error !== 'Continue wait') return answer
    }
  }
  const rows = async query => {
    const { data, error } = await load(query)
    assert.ok(data, error)
    return data
  }

  const before = await spent()
  await check('columns', async () => {
    const { tablesSchema } = await (await fetch(base + '/playground/db-schema')).json()
    assert.deepEqual(tablesSchema.public.people.map(c => c.name).sort(), ['admitted', 'age', 'illness', 'region', 'sex'])
  })

  await check('generated model', async () => {
    const { files: [file] } = await post('/playground/generate-schema', { tables: [['public', 'people']], format: 'js' })
    assert.deepEqual(file.content.match(/^ {4}\w+(?=: {)/gm).map(s => s.trim()).sort(), ['admitted', 'count', 'illness', 'region', 'sex'])
    assert.deepEqual((await rows({ dimensions: ['people.region'] })).map(r => r['people.region']), ['east', 'north', 'south', 'west'])
  })
  for (const f of fs.readdirSync(models)) fs.rmSync(path.join(models, f), { recursive: true })
  fs.writeFileSync(path.join(models, 'people.js'), MODEL)

  await check('looking round is free', async () => assert.equal(await spent(), before))

  await check('protected count', async () => {
    const query = { measures: ['people.count'], dimensions: ['people.region', 'people.sex'], segments: ['people.adults'], order: [['people.region', 'asc'], ['people.sex', 'asc']] }
    console.log('answer: ' + (await rows(query)).map(r => `${r['people.region']}/${r['people.sex'] ?? ''}=${r['people.count']}`).join(' '))
  })

  // The age is one that no other client asks for: a replay is free. Another limit has Cube ask again.
  await check('dashboard, and its replay', async () => {
    const filters = [{ member: 'people.age', operator: 'gte', values: ['53'] }]
    const charts = limit => Promise.all([
      { measures: ['people.count'], dimensions: ['people.region'] },
      { measures: ['people.women', 'people.share', 'people.mean_age'], dimensions: ['people.region'] },
      { measures: ['people.count'], timeDimensions: [{ dimension: 'people.admitted', granularity: 'month', dateRange: ['2024-01-01', '2024-12-31'] }] },
      { measures: ['people.count'], timezone: 'America/New_York', timeDimensions: [{ dimension: 'people.admitted', granularity: 'month', dateRange: ['2024-02-01', '2024-12-31'] }] },
      { measures: ['people.count'] },
    ].map(q => rows({ ...q, filters, limit })))
    const first = await charts(1000)
    assert.deepEqual(first.map(r => r.length), [4, 4, 12, 11, 1])
    const after = await spent()
    assert.ok(after > before && after <= before + 0.5 * 8, `charged ${after - before}`)
    assert.deepEqual(await charts(2000), first)
    assert.equal(await spent(), after)
  })

  await check('rows are refused without a charge', async () => {
    const before = await spent()
    const ungrouped = await load({ dimensions: ['listed.region', 'listed.age'], ungrouped: true })
    assert.match(ungrouped.error, /rows of protected table \S+ cannot be read/)
    assert.match((await load({ measures: ['people.oldest'] })).error, /max is not supported on protected tables/)
    assert.equal(await spent(), before)
    assert.equal((await rows({ measures: ['people.count'] })).length, 1)
  })

  await client.end()
}

function freePort() {
  return new Promise(resolve => {
    const probe = net.createServer().listen(0, () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}

main().then(() => process.exit(0), e => { console.error(e); process.exit(1) })
