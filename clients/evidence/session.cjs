// Evidence: the queries of a project's source are run, and its page of three charts is built.
'use strict'
const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const modules = path.resolve(process.env.NODE_PATH)
// Evidence looks for its parts below the directory of the project.
const project = path.dirname(modules)
const { PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE } = process.env
const env = {
  ...process.env, NODE_PATH: modules, NODE_OPTIONS: `--require ${path.resolve(__dirname, 'preload.cjs')} --max-old-space-size=4096`,
  EVIDENCE_SOURCE__hospital__host: PGHOST, EVIDENCE_SOURCE__hospital__port: PGPORT, EVIDENCE_SOURCE__hospital__database: PGDATABASE,
  EVIDENCE_SOURCE__hospital__user: PGUSER, EVIDENCE_SOURCE__hospital__password: PGPASSWORD,
  SEND_ANONYMOUS_USAGE_STATS: 'no', npm_config_offline: 'true', NO_COLOR: '1',
}

async function check(name, f) {
  try {
    await f()
    console.log(`ok: ${name}`)
  } catch (e) {
    console.log(`failed: ${name}: ${String(e.message).replace(/\s+/g, ' ')}`)
  }
}

// evidence runs its command line, for ten minutes at most, with all that it starts.
function evidence(...args) {
  const cli = path.join(modules, '@evidence-dev/evidence/cli.js')
  const { status, stdout, stderr } = spawnSync('timeout', ['600', process.execPath, cli, ...args], { cwd: project, env, encoding: 'utf8', maxBuffer: 1 << 28 })
  assert.equal(status, 0, `evidence ${args}: ${(stdout + stderr).slice(-1000)}`)
  return stdout + stderr
}

// built are the rows of the queries of the built page, by the names of their columns.
function built() {
  const { tableFromIPC } = require('apache-arrow')
  const directory = path.join(project, 'build/api/prerendered_queries')
  const queries = {}
  for (const file of fs.readdirSync(directory)) {
    const table = tableFromIPC(fs.readFileSync(path.join(directory, file)))
    queries[table.schema.fields.map(f => f.name).join()] = table.toArray().map(r => r.toJSON())
  }
  return queries
}

function clean() {
  for (const name of ['.evidence', 'build', 'pages', 'sources']) fs.rmSync(path.join(project, name), { recursive: true, force: true })
}

async function main() {
  clean()
  fs.cpSync(path.join(__dirname, 'project'), project, { recursive: true })
  try {
    await session()
  } finally {
    clean()
  }
}

async function session() {
  console.log(`version: ${require('@evidence-dev/evidence/package.json').version}, node ${process.versions.node}`)
  const client = new (require('pg').Client)()
  await client.connect()
  const spent = async () => Number((await client.query("SELECT epsilon_spent FROM tacit.budget WHERE table_name = 'people'")).rows[0].epsilon_spent)

  await check('sources, refused rows among them', async () => {
    const before = await spent()
    const output = evidence('sources')
    for (const [name, n] of [['by_region', 12], ['by_month', 12], ['by_age', 10]]) assert.match(output, new RegExp(`${name}[^\\n]*wrote ${n} rows`), output)
    assert.match(output, /rows of protected table \S+ cannot be read/)
    const charged = await spent() - before
    // The rows of each query are counted before it is asked for, which asks for its counts: the averages of one follow as a charge of their own.
    assert.ok(charged > 0 && charged <= 4 * 0.5, `charged ${charged}`)
  })

  await check('sources again, without a charge', async () => {
    const before = await spent()
    assert.match(evidence('sources'), /by_age[^\n]*wrote 10 rows/)
    assert.equal(await spent(), before)
  })

  await check('page with three charts', async () => {
    const before = await spent()
    evidence('build', '--minify=false')
    assert.ok(fs.existsSync(path.join(project, 'build/index.html')))
    const queries = built()
    assert.equal(queries['month,n'].length, 12)
    assert.equal(queries['age,n,mean'].length, 10)
    console.log('answer: ' + queries['region,sex,n'].map(r => `${r.region}/${r.sex ?? ''}=${r.n}`).join(' '))
    assert.equal(await spent(), before)
  })

  await client.end()
}

main().catch(e => { console.error(e); process.exit(1) })
