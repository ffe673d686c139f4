class PeopleController < ApplicationController
  # ruleid: parapet.ruby.csrf-off
  skip_before_action :verify_authenticity_token
  # ok: parapet.ruby.csrf-off
  skip_before_action :verify_authenticity_token, only: [:hook]
  # ok: parapet.ruby.csrf-off
  protect_from_forgery with: :exception

  def index
    name = params[:name]
    # ruleid: parapet.ruby.sql-injection-request, parapet.ruby.sql-injection-format
    Person.where("name = '#{name}'")
    # ruleid: parapet.ruby.sql-injection-request
    Person.find_by_sql("select * from people where id = " + params[:id])
    # ok: parapet.ruby.sql-injection-request, parapet.ruby.sql-injection-format
    Person.where("name = ?", name)
    # ok: parapet.ruby.sql-injection-request, parapet.ruby.sql-injection-format
    Person.where(name: name)
  end

  def find(email)
    # ruleid: parapet.ruby.sql-injection-format
    Person.where("email = '#{email}'")
    # ok: parapet.ruby.sql-injection-request
    Person.where("age > #{params[:age].to_i}")
  end

  def run
    folder = params[:folder]
    # ruleid: parapet.ruby.command-injection-request
    system("ls #{folder}")
    # ruleid: parapet.ruby.command-injection-request
    IO.popen("ls " + folder)
    # ok: parapet.ruby.command-injection-request
    system("ls", folder)
    # ok: parapet.ruby.command-injection-request
    system("ls #{Shellwords.escape(folder)}")
    # ruleid: parapet.ruby.code-injection-request
    eval(params[:code])
    # ruleid: parapet.ruby.code-injection-request
    person.send(params[:method], 1)
    # ok: parapet.ruby.code-injection-request
    person.send(:name)
    # ok: parapet.ruby.code-injection-request
    eval("1 + 1")
  end

  def file
    # ruleid: parapet.ruby.path-traversal-request
    File.read("files/#{params[:name]}")
    # ruleid: parapet.ruby.path-traversal-request
    send_file(Rails.root.join("files", params[:name]))
    # ok: parapet.ruby.path-traversal-request
    File.read("files/#{File.basename(params[:name])}")
    # ok: parapet.ruby.path-traversal-request
    send_file("files/fixed.txt", filename: params[:name])
    # ruleid: parapet.ruby.ssrf-request
    Net::HTTP.get(URI(params[:url]))
    # ruleid: parapet.ruby.ssrf-request
    HTTParty.get("https://" + params[:host])
    # ok: parapet.ruby.ssrf-request
    HTTParty.get("https://api.example.com/items/#{params[:id]}")
    # ok: parapet.ruby.ssrf-request
    HTTParty.get("https://api.example.com", query: { url: params[:url] })
  end

  def leave
    # ruleid: parapet.ruby.open-redirect-request
    redirect_to params[:next]
    # ruleid: parapet.ruby.open-redirect-request
    redirect_to params.fetch(:next, "/")
    # ok: parapet.ruby.open-redirect-request
    redirect_to person_path(params[:id])
    # ok: parapet.ruby.open-redirect-request
    redirect_to url_from(params[:next])
    # ruleid: parapet.ruby.redirect-to-other-hosts, parapet.ruby.open-redirect-request
    redirect_to params[:url], allow_other_host: true
    # ruleid: parapet.ruby.redirect-to-other-hosts, parapet.ruby.open-redirect-request
    redirect_to params[:return_to], status: :see_other, allow_other_host: true
    # ok: parapet.ruby.redirect-to-other-hosts
    redirect_to "https://example.com", allow_other_host: true
    # ok: parapet.ruby.redirect-to-other-hosts
    redirect_to root_path
  end

  def show
    # ruleid: parapet.ruby.xss-raw-request
    @name = "<b>#{params[:name]}</b>".html_safe
    # ruleid: parapet.ruby.xss-raw-request
    raw(params[:text])
    # ok: parapet.ruby.xss-raw-request
    @name = "<b>#{h(params[:name])}</b>".html_safe
    # ok: parapet.ruby.xss-raw-request
    raw("<hr>")
  end

  def create
    # ruleid: parapet.ruby.mass-assignment
    Person.create(params.permit!)
    # ruleid: parapet.ruby.mass-assignment
    Person.create(params.require(:person).permit!)
    # ok: parapet.ruby.mass-assignment
    Person.create(params.require(:person).permit(:name))
    # ok: parapet.ruby.mass-assignment
    Person.create(params.expect(person: [:name]))
  end

  def load
    # ruleid: parapet.ruby.unsafe-deserialization-request
    Marshal.load(Base64.decode64(params[:state]))
    # ruleid: parapet.ruby.unsafe-deserialization-request
    YAML.load(params[:settings])
    # ok: parapet.ruby.unsafe-deserialization-request
    JSON.parse(params[:settings])
    # ok: parapet.ruby.unsafe-deserialization-request
    YAML.load(File.read("settings.yml"))
    # ruleid: parapet.ruby.yaml-unsafe-load
    YAML.unsafe_load(text)
    # ruleid: parapet.ruby.yaml-unsafe-load
    YAML.unsafe_load_file("cache.yml")
    # ok: parapet.ruby.yaml-unsafe-load
    YAML.safe_load(text)
    # ok: parapet.ruby.yaml-unsafe-load
    YAML.load_file("settings.yml")
  end
end

class HooksController < ApplicationController
  # ruleid: parapet.ruby.csrf-off
  skip_forgery_protection
end

class Person < ApplicationRecord
  # ruleid: parapet.ruby.regex-line-anchors
  validates :name, format: { with: /^[a-z]+$/ }
  # ruleid: parapet.ruby.regex-line-anchors
  validates_format_of :email, with: /^\S+@\S+$/i
  # ok: parapet.ruby.regex-line-anchors
  validates :name, format: { with: /\A[a-z]+\z/ }
  # ok: parapet.ruby.regex-line-anchors
  validates :name, presence: true
end

def connect(http, client)
  # ruleid: parapet.ruby.tls-verification-off
  http.verify_mode = OpenSSL::SSL::VERIFY_NONE
  # ruleid: parapet.ruby.tls-verification-off
  Faraday.new("https://example.com", ssl: { verify: false })
  # ok: parapet.ruby.tls-verification-off
  http.verify_mode = OpenSSL::SSL::VERIFY_PEER
  # ok: parapet.ruby.tls-verification-off
  Faraday.new("https://example.com")
  # ruleid: parapet.ruby.weak-cipher
  OpenSSL::Cipher.new("des-ede3-cbc")
  # ruleid: parapet.ruby.weak-cipher
  OpenSSL::Cipher.new("aes-256-ecb")
  # ok: parapet.ruby.weak-cipher
  OpenSSL::Cipher.new("aes-256-gcm")
  # ok: parapet.ruby.weak-cipher
  OpenSSL::Cipher.new("chacha20-poly1305")
end

def secrets(password, user, token)
  # ruleid: parapet.ruby.fast-password-hash
  Digest::SHA256.hexdigest(password)
  # ruleid: parapet.ruby.fast-password-hash
  Digest::MD5.hexdigest(user.password)
  # ok: parapet.ruby.fast-password-hash
  Digest::SHA256.hexdigest(user.avatar)
  # ok: parapet.ruby.fast-password-hash
  BCrypt::Password.create(password)
  # ruleid: parapet.ruby.weak-random-token
  token = rand(10**10).to_s
  # ruleid: parapet.ruby.weak-random-token
  reset_code = rand(1_000_000)
  # ok: parapet.ruby.weak-random-token
  token = SecureRandom.hex(20)
  # ok: parapet.ruby.weak-random-token
  color = rand(16)
  # ruleid: parapet.ruby.jwt-unverified
  JWT.decode(token, nil, false)
  # ruleid: parapet.ruby.jwt-unverified
  JWT.encode({ sub: 1 }, nil, "none")
  # ok: parapet.ruby.jwt-unverified
  JWT.decode(token, key, true, algorithm: "HS256")
  # ok: parapet.ruby.jwt-unverified
  JWT.encode({ sub: 1 }, key, "HS256")
end

Rails.application.configure do
  # ruleid: parapet.ruby.hard-coded-secret-key-base
  config.secret_key_base = "k3v0r4x9q2m7n1p8s5t6u0w"
  # ruleid: parapet.ruby.hard-coded-secret-key-base
  config.secret_token = "k3v0r4x9q2m7n1p8s5t6u0w"
  # ok: parapet.ruby.hard-coded-secret-key-base
  config.secret_key_base = ENV["SECRET_KEY_BASE"]
  # ok: parapet.ruby.hard-coded-secret-key-base
  config.secret_key_base = "change-me-in-production"
end
