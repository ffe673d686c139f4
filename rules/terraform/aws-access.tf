# ruleid: parapet.terraform.aws-s3-public-acl
resource "aws_s3_bucket" "site" {
  bucket = "site"
  acl    = "public-read"
}
# ruleid: parapet.terraform.aws-s3-public-acl
resource "aws_s3_bucket_acl" "upload" {
  bucket = aws_s3_bucket.upload.id
  acl    = "public-read-write"
}
# ok: parapet.terraform.aws-s3-public-acl
resource "aws_s3_bucket" "logs" {
  bucket = "logs"
  acl    = "log-delivery-write"
}
# ok: parapet.terraform.aws-s3-public-acl
resource "aws_s3_bucket_acl" "logs" {
  bucket = aws_s3_bucket.logs.id
  acl    = "private"
}
# ruleid: parapet.terraform.aws-s3-public-access-block-off
resource "aws_s3_bucket_public_access_block" "one" {
  bucket            = aws_s3_bucket.site.id
  block_public_acls = false
}
# ruleid: parapet.terraform.aws-s3-public-access-block-off
resource "aws_s3_bucket_public_access_block" "two" {
  bucket                  = aws_s3_bucket.site.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = false
}
# ok: parapet.terraform.aws-s3-public-access-block-off
resource "aws_s3_bucket_public_access_block" "three" {
  bucket                  = aws_s3_bucket.site.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}
# ok: parapet.terraform.aws-s3-public-access-block-off
resource "aws_s3_bucket_public_access_block" "four" {
  bucket              = aws_s3_bucket.site.id
  block_public_policy = var.block_public_policy
}
# ruleid: parapet.terraform.aws-security-group-open-admin-port
resource "aws_security_group" "ssh" {
  ingress {
    from_port   = 22
    to_port     = 22
    protocol    = "tcp"
    cidr_blocks = ["0.0.0.0/0"]
  }
}
# ruleid: parapet.terraform.aws-security-group-open-admin-port
resource "aws_security_group_rule" "desktop" {
  type        = "ingress"
  from_port   = 3389
  to_port     = 3389
  protocol    = "tcp"
  cidr_blocks = ["10.0.0.0/8", "0.0.0.0/0"]
}
# ok: parapet.terraform.aws-security-group-open-admin-port
resource "aws_security_group" "web" {
  ingress {
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = ["0.0.0.0/0"]
  }
  ingress {
    from_port   = 22
    to_port     = 22
    protocol    = "tcp"
    cidr_blocks = ["10.0.0.0/8"]
  }
}
# ok: parapet.terraform.aws-security-group-open-admin-port
resource "aws_vpc_security_group_ingress_rule" "office" {
  from_port = 22
  to_port   = 22
  cidr_ipv4 = "192.0.2.0/24"
}
# ruleid: parapet.terraform.aws-security-group-open-database
resource "aws_security_group" "database" {
  ingress {
    from_port   = 5432
    to_port     = 5432
    protocol    = "tcp"
    cidr_blocks = ["0.0.0.0/0"]
  }
}
# ruleid: parapet.terraform.aws-security-group-open-database
resource "aws_vpc_security_group_ingress_rule" "cache" {
  from_port = 6379
  to_port   = 6379
  cidr_ipv4 = "0.0.0.0/0"
}
# ok: parapet.terraform.aws-security-group-open-database
resource "aws_security_group" "inner" {
  ingress {
    from_port       = 5432
    to_port         = 5432
    protocol        = "tcp"
    security_groups = [aws_security_group.web.id]
  }
}
# ok: parapet.terraform.aws-security-group-open-database
resource "aws_security_group_rule" "egress" {
  type        = "egress"
  from_port   = 5432
  to_port     = 5432
  protocol    = "tcp"
  cidr_blocks = ["0.0.0.0/0"]
}
# ruleid: parapet.terraform.aws-database-public
resource "aws_db_instance" "open" {
  engine              = "postgres"
  publicly_accessible = true
}
# ruleid: parapet.terraform.aws-database-public
resource "aws_redshift_cluster" "open" {
  publicly_accessible = true
}
# ok: parapet.terraform.aws-database-public
resource "aws_db_instance" "closed" {
  engine              = "postgres"
  publicly_accessible = false
}
# ok: parapet.terraform.aws-database-public
resource "aws_db_instance" "unsaid" {
  engine = "postgres"
}
data "aws_iam_policy_document" "all" {
  # ruleid: parapet.terraform.aws-iam-all-actions
  statement {
    actions   = ["*"]
    resources = ["*"]
  }
  # ok: parapet.terraform.aws-iam-all-actions
  statement {
    actions   = ["s3:GetObject"]
    resources = ["*"]
  }
  # ok: parapet.terraform.aws-iam-all-actions
  statement {
    effect    = "Deny"
    actions   = ["*"]
    resources = ["*"]
  }
}
resource "aws_iam_policy" "all" {
  policy = jsonencode({
    Version = "2012-10-17"
    # ruleid: parapet.terraform.aws-iam-all-actions
    Statement = [{
      Effect   = "Allow"
      Action   = "*"
      Resource = "*"
    }]
  })
}
data "aws_iam_policy_document" "anybody" {
  # ruleid: parapet.terraform.aws-iam-any-principal
  statement {
    actions   = ["sts:AssumeRole"]
    principals {
      type        = "AWS"
      identifiers = ["*"]
    }
  }
  # ruleid: parapet.terraform.aws-iam-any-principal
  statement {
    actions   = ["sqs:SendMessage"]
    resources = [aws_sqs_queue.jobs.arn]
    principals {
      type        = "*"
      identifiers = ["*"]
    }
  }
  # ok: parapet.terraform.aws-iam-any-principal
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["ec2.amazonaws.com"]
    }
  }
  # ok: parapet.terraform.aws-iam-any-principal
  statement {
    actions = ["sqs:SendMessage"]
    principals {
      type        = "*"
      identifiers = ["*"]
    }
    condition {
      test     = "ArnEquals"
      variable = "aws:SourceArn"
      values   = [aws_sns_topic.jobs.arn]
    }
  }
}
# ruleid: parapet.terraform.aws-lambda-url-without-auth
resource "aws_lambda_function_url" "open" {
  function_name      = aws_lambda_function.hook.function_name
  authorization_type = "NONE"
}
# ruleid: parapet.terraform.aws-lambda-url-without-auth
resource "aws_lambda_function_url" "open_cors" {
  authorization_type = "NONE"
  function_name      = "hook"
  cors {
    allow_origins = ["https://example.com"]
  }
}
# ok: parapet.terraform.aws-lambda-url-without-auth
resource "aws_lambda_function_url" "signed" {
  function_name      = aws_lambda_function.hook.function_name
  authorization_type = "AWS_IAM"
}
# ok: parapet.terraform.aws-lambda-url-without-auth
resource "aws_lambda_function_url" "chosen" {
  function_name      = aws_lambda_function.hook.function_name
  authorization_type = var.authorization_type
}
# ruleid: parapet.terraform.aws-eks-endpoint-open
resource "aws_eks_cluster" "open" {
  name = "open"
  vpc_config {
    subnet_ids          = var.subnets
    public_access_cidrs = ["0.0.0.0/0"]
  }
}
# ruleid: parapet.terraform.aws-eks-endpoint-open
resource "aws_eks_cluster" "open_too" {
  name = "open"
  vpc_config {
    endpoint_public_access = true
    public_access_cidrs    = ["192.0.2.0/24", "0.0.0.0/0"]
    subnet_ids             = var.subnets
  }
}
# ok: parapet.terraform.aws-eks-endpoint-open
resource "aws_eks_cluster" "office" {
  name = "office"
  vpc_config {
    public_access_cidrs = ["192.0.2.0/24"]
  }
}
# ok: parapet.terraform.aws-eks-endpoint-open
resource "aws_eks_cluster" "inner" {
  name = "inner"
  vpc_config {
    endpoint_public_access = false
  }
}
resource "aws_instance" "old" {
  # ruleid: parapet.terraform.aws-instance-metadata-v1
  metadata_options {
    http_tokens = "optional"
  }
}
resource "aws_launch_template" "old" {
  # ruleid: parapet.terraform.aws-instance-metadata-v1
  metadata_options {
    http_endpoint = "enabled"
    http_tokens   = "optional"
  }
}
resource "aws_instance" "new" {
  # ok: parapet.terraform.aws-instance-metadata-v1
  metadata_options {
    http_tokens = "required"
  }
}
resource "aws_instance" "none" {
  # ok: parapet.terraform.aws-instance-metadata-v1
  metadata_options {
    http_endpoint = "disabled"
  }
}
# ruleid: parapet.terraform.aws-snapshot-public
resource "aws_ami_launch_permission" "all" {
  image_id = "ami-12345678"
  group    = "all"
}
# ruleid: parapet.terraform.aws-snapshot-public
resource "aws_db_snapshot" "all" {
  db_instance_identifier = aws_db_instance.closed.identifier
  shared_accounts        = ["all"]
}
# ok: parapet.terraform.aws-snapshot-public
resource "aws_ami_launch_permission" "one" {
  image_id   = "ami-12345678"
  account_id = "123456789012"
}
# ok: parapet.terraform.aws-snapshot-public
resource "aws_db_snapshot" "one" {
  db_instance_identifier = aws_db_instance.closed.identifier
  shared_accounts        = ["123456789012"]
}
